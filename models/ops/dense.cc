// Matrix products.
#include "models/ops/anchors.h"

namespace pruner {

OpPipeline BuildAnchor(const Dense&, PipelineBuilder& builder) {
  const int64_t depth = builder.AnchorInputShape(1)[0];
  const int64_t channels = builder.AnchorInputShape(1)[1];
  // All dimensions but the innermost are rows.
  const int64_t rows = NumElements(builder.OutputShape()) / channels;
  const TensorParameter input = builder.AnchorInput(0, {rows, depth});
  const WeightsParameter weights = builder.AnchorWeights(1);

  const Halide::Var c("c"), m("m");
  const OutputLoops loops = {
      .vars = {c, m}, .shape = {rows, channels}, .channel = c};
  const Halide::RDom r = NamedRDom({{"rc", depth}});
  Halide::Func dense = NamedFunc("dense");
  dense(c, m) = 0.0f;
  dense(c, m) += input({r.x, m}) * weights(c, {r.x});
  return builder.Finish(1, dense(c, m), loops);
}

}  // namespace pruner
