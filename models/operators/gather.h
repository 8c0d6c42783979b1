// Elements at indices that are data.
#ifndef MODELS_OPERATORS_GATHER_H_
#define MODELS_OPERATORS_GATHER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// out[a, i, b] = data[a, indices[i], b], where a are the dimensions before
// `axis`, i those of the indices, of which there may be none, and b those
// behind the axis. Negative indices count from the end, and what is outside is
// the nearest that is inside. Data of any type.
struct Gather {
  static constexpr OperatorKind kKind{
      "Gather", "gather", {"data", "indices"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  bool operator==(const Gather&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

// out[i] = data[i but for dimension `axis`, where it is indices[i]]. The
// indices have the rank of the data and, but along the axis, no larger extents;
// what they mean is as above.
struct GatherElements {
  static constexpr OperatorKind kKind{"GatherElements",
                                      "gather_elements",
                                      {"data", "indices"},
                                      OperatorClass::kAnchor};
  int64_t axis = 0;
  bool operator==(const GatherElements&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

// out[b, i, c] = data[b, indices[b, i, 0], ..., indices[b, i, k - 1], c], where
// b are the first `batch_dims` dimensions, which data and indices have in
// common, k is the innermost extent of the indices, and c are the remaining
// dimensions of the data; what indices mean is as above.
struct GatherNd {
  static constexpr OperatorKind kKind{
      "GatherNd", "gather_nd", {"data", "indices"}, OperatorClass::kAnchor};
  int64_t batch_dims = 0;
  bool operator==(const GatherNd&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("batch_dims", self.batch_dims);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes, const Shape&) const { return 0; }
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_GATHER_H_
