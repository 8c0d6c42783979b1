// Maxima of images.
#ifndef MODELS_OPERATORS_GLOBAL_MAX_POOL_H_
#define MODELS_OPERATORS_GLOBAL_MAX_POOL_H_

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Maximum over the spatial dimensions: {N, spatial..., C} to {N, 1, ..., 1, C}.
struct GlobalMaxPool {
  static constexpr OperatorKind kKind{
      "GlobalMaxPool", "global_max_pool", {"input"}, OperatorClass::kAnchor};
  bool operator==(const GlobalMaxPool&) const = default;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_GLOBAL_MAX_POOL_H_
