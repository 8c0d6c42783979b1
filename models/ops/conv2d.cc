// Direct convolution.
#include "models/ops/anchors.h"
#include "models/ops/window.h"

namespace pruner {
namespace {

using Halide::Expr;

// The input channel that the output channel `c` reads at `rc` of its group.
Expr InputChannel(const Conv2d& op, int64_t in_group, int64_t out_group,
                  const Expr& c, const Expr& rc) {
  if (op.groups == 1) return rc;
  const Expr group = out_group == 1 ? c : c / ToExpr(out_group);
  // Depthwise: no reduction over channels is left.
  return in_group == 1 ? group : group * ToExpr(in_group) + rc;
}

}  // namespace

OpPipeline BuildAnchor(const Conv2d& op, PipelineBuilder& builder) {
  const Shape& input_shape = builder.AnchorInputShape(0);
  const Shape& weights_shape = builder.AnchorInputShape(1);
  const Shape& output_shape = builder.OutputShape();
  const int64_t kernel_h = weights_shape[0], kernel_w = weights_shape[1];
  const int64_t in_group = weights_shape[2];
  const int64_t out_group = weights_shape[3] / op.groups;
  const Window2d window =
      MakeWindow(input_shape, output_shape, {kernel_h, kernel_w}, op.stride,
                 op.dilation, op.padding);
  const PaddedInput input(builder.AnchorInput(0, input_shape), window);
  const WeightsParameter weights = builder.AnchorWeights(1);

  const OutputLoops loops = ImageLoops(output_shape);
  const Expr c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
             n = loops.vars[3];
  const Halide::RDom r =
      NamedRDom({{"rc", in_group}, {"rx", kernel_w}, {"ry", kernel_h}});
  Halide::Func conv = NamedFunc("conv");
  conv(loops.vars) = 0.0f;
  conv(loops.vars) +=
      input(InputChannel(op, in_group, out_group, c, r.x),
            window.x.Position(x, r.y), window.y.Position(y, r.z), n) *
      weights(c, {r.x, r.y, r.z});
  return builder.Finish(1, conv(loops.vars), loops);
}

}  // namespace pruner
