// Borders around tensors.
#ifndef MODELS_OPERATORS_PAD_H_
#define MODELS_OPERATORS_PAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Of each dimension d, before[d] elements before the input's and after[d]
// behind them. What they are says the mode: "constant", `value`, which the
// elements' type must have; "edge", the nearest of the input's; "reflect",
// those on the other side of the outermost one, so that a border is smaller
// than the input; "wrap", those of the input, repeated.
struct Pad {
  static constexpr OperatorKind kKind{
      "Pad", "pad", {"input"}, OperatorClass::kAnchor};
  std::vector<int64_t> before{};
  std::vector<int64_t> after{};
  std::string mode = "constant";
  double value = 0;
  bool operator==(const Pad&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("before", self.before);
    visitor("after", self.after);
    visitor("mode", self.mode);
    visitor("value", self.value);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_PAD_H_
