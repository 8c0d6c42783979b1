// Running sums.
#ifndef MODELS_OPERATORS_CUM_SUM_H_
#define MODELS_OPERATORS_CUM_SUM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The sum of all elements along `axis` up to each one, without itself if
// `exclusive`; of those from it on if `reverse`. Numbers of either type.
struct CumSum {
  static constexpr OperatorKind kKind{
      "CumSum", "cum_sum", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  bool exclusive = false;
  bool reverse = false;
  bool operator==(const CumSum&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("exclusive", self.exclusive);
    visitor("reverse", self.reverse);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CUM_SUM_H_
