// Repetition.
#ifndef MODELS_OPERATORS_EXPAND_H_
#define MODELS_OPERATORS_EXPAND_H_

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The input, of any type, broadcast with a tensor of `shape` as NumPy does it
// (broadcast.h): where `shape` has 1, the input's extent stays.
struct Expand {
  static constexpr OperatorKind kKind{
      "Expand", "expand", {"input"}, OperatorClass::kAnchor};
  Shape shape{};
  bool operator==(const Expand&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("shape", self.shape);
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

#endif  // MODELS_OPERATORS_EXPAND_H_
