// Tensors behind one another.
#ifndef MODELS_OPERATORS_CONCAT_H_
#define MODELS_OPERATORS_CONCAT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The inputs, of one type and of shapes that differ in dimension `axis` at
// most, behind one another along it.
struct Concat {
  static constexpr OperatorKind kKind{
      "Concat", "concat", {"input", "..."}, OperatorClass::kAnchor};
  int64_t axis = 0;
  bool operator==(const Concat&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return CommonType(inputs);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CONCAT_H_
