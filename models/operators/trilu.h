// Triangles of matrices.
#ifndef MODELS_OPERATORS_TRILU_H_
#define MODELS_OPERATORS_TRILU_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Of the matrices that the two innermost dimensions are, the elements on and
// above the k-th diagonal (column - row >= k) if `upper`, else those on and
// below it (column - row <= k); 0 elsewhere. Elements of any type.
struct Trilu {
  static constexpr OperatorKind kKind{
      "Trilu", "trilu", {"input"}, OperatorClass::kAnchor};
  bool upper = true;
  int64_t k = 0;
  bool operator==(const Trilu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("upper", self.upper);
    visitor("k", self.k);
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

#endif  // MODELS_OPERATORS_TRILU_H_
