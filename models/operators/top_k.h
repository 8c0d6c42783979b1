// The largest elements.
#ifndef MODELS_OPERATORS_TOP_K_H_
#define MODELS_OPERATORS_TOP_K_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The `k` largest elements along `axis`, or smallest unless `largest`, in their
// order; of equal ones that of the lower index comes first. Numbers of either
// type. Every element is compared with every other of its line.
struct TopKValues {
  static constexpr OperatorKind kKind{
      "TopKValues", "top_k_values", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  int64_t k = 1;
  bool largest = true;
  bool operator==(const TopKValues&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("k", self.k);
    visitor("largest", self.largest);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

// Their indices along the axis, int64.
struct TopKIndices {
  static constexpr OperatorKind kKind{
      "TopKIndices", "top_k_indices", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  int64_t k = 1;
  bool largest = true;
  bool operator==(const TopKIndices&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("k", self.k);
    visitor("largest", self.largest);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_TOP_K_H_
