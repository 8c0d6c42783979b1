// Views.
#ifndef MODELS_OPERATORS_RESHAPE_H_
#define MODELS_OPERATORS_RESHAPE_H_

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The same elements, of any type, in the same order.
struct Reshape {
  static constexpr OperatorKind kKind{
      "Reshape", "reshape", {"input"}, OperatorClass::kView};
  Shape shape{};
  bool operator==(const Reshape&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("shape", self.shape);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return inputs[0];
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
};

// Nothing.
struct Identity {
  static constexpr OperatorKind kKind{
      "Identity", "identity", {"input"}, OperatorClass::kView};
  bool operator==(const Identity&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return inputs[0];
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_RESHAPE_H_
