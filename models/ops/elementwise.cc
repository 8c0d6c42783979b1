// Elementwise operators without an anchor.
#include "models/ops/anchors.h"

namespace pruner {

OpPipeline BuildElementwise(PipelineBuilder& builder) {
  const Shape& shape = builder.OutputShape();
  const Halide::Var c("c"), m("m");
  OutputLoops loops = {.vars = {c}, .shape = {1}, .channel = c};
  if (!shape.empty()) loops.shape = {shape.back()};
  if (shape.size() > 1) {
    loops.vars.push_back(m);
    loops.shape = {NumElements(shape) / shape.back(), shape.back()};
  }
  return builder.Finish(0, Halide::Expr(), loops);
}

}  // namespace pruner
