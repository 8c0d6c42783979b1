// The mean of every channel of an image.
#include "models/ops/anchors.h"

namespace pruner {

OpPipeline BuildAnchor(const GlobalAvgPool&, PipelineBuilder& builder) {
  const Shape& shape = builder.AnchorInputShape(0);
  const int64_t height = shape[1], width = shape[2];
  const TensorParameter input = builder.AnchorInput(0, shape);
  const OutputLoops loops = ImageLoops(builder.OutputShape());
  const Halide::RDom r = NamedRDom({{"rx", width}, {"ry", height}});
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = 0.0f;
  pool(loops.vars) += input({loops.vars[0], r.x, r.y, loops.vars[3]});
  const float scale = 1.0f / static_cast<float>(height * width);
  return builder.Finish(1, pool(loops.vars) * Halide::Expr(scale), loops);
}

}  // namespace pruner
