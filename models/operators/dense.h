// Matrix products.
#ifndef MODELS_OPERATORS_DENSE_H_
#define MODELS_OPERATORS_DENSE_H_

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Of input {..., in} and weights {in, out}: {..., out}.
struct Dense {
  static constexpr OperatorKind kKind{"Dense",
                                      "dense",
                                      {"input", "weights"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  bool operator==(const Dense&) const = default;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_DENSE_H_
