// Parts of tensors.
#ifndef MODELS_OPERATORS_SLICE_H_
#define MODELS_OPERATORS_SLICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Element i of dimension d of the output is element starts[d] + i * steps[d] of
// the input, for i below extents[d]. Each has a number for every dimension;
// steps may be negative, and every element is one of the input.
struct Slice {
  static constexpr OperatorKind kKind{
      "Slice", "slice", {"input"}, OperatorClass::kAnchor};
  std::vector<int64_t> starts{};
  std::vector<int64_t> extents{};
  std::vector<int64_t> steps{};
  bool operator==(const Slice&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("starts", self.starts);
    visitor("extents", self.extents);
    visitor("steps", self.steps);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return inputs[0];
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SLICE_H_
