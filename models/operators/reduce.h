// Sums, maxima and the like along dimensions.
#ifndef MODELS_OPERATORS_REDUCE_H_
#define MODELS_OPERATORS_REDUCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// One element of all those along the dimensions `axes`, which ascend and may be
// none. The kind is "sum", "mean", "max", "min", "prod"; "l1", the sum of
// absolute values; "l2", the root of "sum_square", the sum of squares;
// "log_sum", the logarithm of the sum; or "log_sum_exp", that of the sum of the
// exponentials. The dimensions stay with an extent of 1 if `keepdims`. float32;
// "sum", "max", "min" and "prod" also of int64.
struct Reduce {
  static constexpr OperatorKind kKind{
      "Reduce", "reduce", {"input"}, OperatorClass::kAnchor};
  std::string kind = "sum";
  std::vector<int64_t> axes{};
  bool keepdims = false;
  bool operator==(const Reduce&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kind", self.kind);
    visitor("axes", self.axes);
    visitor("keepdims", self.keepdims);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

// The index along `axis` of the largest or smallest element ("max" or "min"),
// int64: of several equal ones the first, or the last if `select_last_index`.
struct ArgReduce {
  static constexpr OperatorKind kKind{
      "ArgReduce", "arg_reduce", {"input"}, OperatorClass::kAnchor};
  std::string kind = "max";
  int64_t axis = 0;
  bool keepdims = false;
  bool select_last_index = false;
  bool operator==(const ArgReduce&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kind", self.kind);
    visitor("axis", self.axis);
    visitor("keepdims", self.keepdims);
    visitor("select_last_index", self.select_last_index);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_REDUCE_H_
