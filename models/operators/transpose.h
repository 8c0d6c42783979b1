// Dimensions in another order.
#ifndef MODELS_OPERATORS_TRANSPOSE_H_
#define MODELS_OPERATORS_TRANSPOSE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Dimension d of the output is dimension perm[d] of the input; perm has every
// dimension once. Elements of any type.
struct Transpose {
  static constexpr OperatorKind kKind{
      "Transpose", "transpose", {"input"}, OperatorClass::kAnchor};
  std::vector<int64_t> perm{};
  bool operator==(const Transpose&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("perm", self.perm);
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

#endif  // MODELS_OPERATORS_TRANSPOSE_H_
