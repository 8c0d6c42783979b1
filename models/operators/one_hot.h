// Indices as vectors.
#ifndef MODELS_OPERATORS_ONE_HOT_H_
#define MODELS_OPERATORS_ONE_HOT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The output has a dimension more than the indices, of extent `depth`, at
// `axis`: along it values[1] is where the index says, values[0] elsewhere.
// Negative indices count from the end; one that is outside says nowhere. The
// values are {2}, of any type.
struct OneHot {
  static constexpr OperatorKind kKind{
      "OneHot", "one_hot", {"indices", "values"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  int64_t depth = 1;
  bool operator==(const OneHot&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("depth", self.depth);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ONE_HOT_H_
