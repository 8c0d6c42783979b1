#include "models/operators/dense.h"

#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> Dense::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const Shape& weights = inputs[1];
  if (input.size() < 2) return Invalid("input must have at least 2 dimensions");
  RETURN_IF_ERROR(CheckRank("weights", weights, 2));
  if (input.back() != weights[0]) {
    return Invalid("input's innermost extent ", input.back(),
                   " differs from weights' first extent ", weights[0]);
  }
  Shape output = input;
  output.back() = weights[1];
  return output;
}

double Dense::CountFlops(Shapes inputs, const Shape& output) const {
  return 2.0 * NumElementsAsDouble(output) * static_cast<double>(inputs[1][0]);
}

void Dense::Evaluate(Arrays inputs, int threads, Array& output) const {
  const int64_t in = inputs[1]->shape[0], out = inputs[1]->shape[1];
  ForRows(NumElements(output.shape) / out, threads, [&](int64_t row) {
    AddProducts({{.input = &inputs[0]->values[row * in],
                  .sums = &output.values[row * out]}},
                inputs[1]->values.data(), in, out, out);
  });
}

Emitted Dense::Emit(AnchorEmitter& emitter) const {
  const int64_t depth = emitter.InputShape(1)[0];
  const int64_t channels = emitter.InputShape(1)[1];
  // All dimensions but the innermost are rows.
  const int64_t rows = NumElements(emitter.OutputShape()) / channels;
  const TensorParameter input = emitter.Input(0, {rows, depth});
  const WeightsParameter weights = emitter.Weights(1);

  const Halide::Var c("c"), m("m");
  const OutputLoops loops = {
      .vars = {c, m}, .shape = {rows, channels}, .channel = c};
  const Halide::RDom r = NamedRDom({{"rc", depth}});
  Halide::Func dense = NamedFunc("dense");
  dense(c, m) = 0.0f;
  dense(c, m) += input({r.x, m}) * weights(c, {r.x});
  return {.value = dense(c, m), .loops = loops};
}

}  // namespace pruner
