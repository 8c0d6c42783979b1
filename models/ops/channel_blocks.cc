// With v lanes in a block, i and b the channel in a block and the block:
//
//   blocked(i, x, y, b, n)       = pad(b * v + i, x, y, n), 0 past the channels
//   product(ci, co, x, y, n)    += blocked(ri, x * sx + rx * dx,
//                                          y * sy + ry * dy, rb, n) *
//                                  weights(ci, ri, rx, ry, rb, co)
//   out(ci, co, x, y, n)         = product(ci, co, x, y, n), and so on
//
// Where blocks are whole, the output in NHWC is the same memory whether its
// channels are one dimension or two, so that the epilogue un-blocks by where it
// stores; else it reads product(c % v, c / v, x, y, n).
#include "models/ops/channel_blocks.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "models/operators/operators.h"
#include "models/operators/window.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Var;

// Input channels in a block: all, or the largest part of them that leaves no
// block half empty. Where there is none, blocks are as large as a vector.
int64_t InputBlock(int64_t channels, int64_t simd_lanes) {
  constexpr int64_t kFewest = 4;
  for (int64_t lanes = std::min(channels, simd_lanes);
       lanes == channels || lanes >= kFewest; --lanes) {
    if (channels % lanes == 0) return lanes;
  }
  return simd_lanes;
}

// The input in blocks of `lanes` channels, zeros after the last one.
Halide::Func Blocked(const PaddedInput& input, int64_t channels,
                     int64_t lanes) {
  const Var i("i"), x("x"), y("y"), b("b"), n("n");
  Halide::Func blocked = NamedFunc("blocked");
  const Expr channel = b * ToExpr(lanes) + i;
  if (channels % lanes == 0) {
    blocked(i, x, y, b, n) = input(channel, x, y, n);
  } else {
    const Expr value =
        input(Halide::clamp(channel, 0, ToExpr(channels - 1)), x, y, n);
    blocked(i, x, y, b, n) =
        Halide::select(channel < ToExpr(channels), value, 0.0f);
  }
  return blocked;
}

// The loops of an output whose channels are whole blocks.
OutputLoops BlockedLoops(const Shape& shape, int64_t lanes) {
  const Var ci("ci"), co("co"), x("x"), y("y"), n("n");
  return {.vars = {ci, co, x, y, n},
          .shape = {shape[0], shape[1], shape[2], shape[3] / lanes, lanes},
          .channel = co * ToExpr(lanes) + ci};
}

}  // namespace

bool ChannelBlocksApply(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  if (body.nodes.empty()) return false;
  const auto* conv = std::get_if<Conv2d>(&body.nodes[0].op);
  return conv != nullptr && conv->groups == 1 &&
         IsPrivateConstant(subgraph, body.nodes[0].inputs[1]);
}

OpPipeline BuildChannelBlocks(PipelineBuilder& builder) {
  const auto& op = builder.AnchorOp<Conv2d>();
  const Shape input_shape = op.ImageShape(builder.InputShape(0));
  const Shape& weights_shape = builder.InputShape(1);
  const Shape& output_shape = builder.OutputShape();
  const int64_t kernel_h = weights_shape[0], kernel_w = weights_shape[1];
  const int64_t channels = weights_shape[2];
  const int64_t lanes = builder.simd_lanes();
  const int64_t in_lanes = InputBlock(channels, lanes);
  const Window2d window =
      MakeWindow(input_shape, output_shape, {kernel_h, kernel_w}, op.stride,
                 op.dilation, op.padding);
  const PaddedInput input(op.Image(builder), window);
  const TensorParameter weights =
      builder.AnchorBlockedWeights(1, in_lanes, lanes);
  const Halide::Func blocked = Blocked(input, channels, in_lanes);

  const Var ci("ci"), co("co"), x("x"), y("y"), n("n");
  const Halide::RDom r = NamedRDom({{"ri", in_lanes},
                                    {"rx", kernel_w},
                                    {"ry", kernel_h},
                                    {"rb", CeilDiv(channels, in_lanes)}});
  Halide::Func product = NamedFunc("product");
  product(ci, co, x, y, n) = 0.0f;
  product(ci, co, x, y, n) += blocked(r.x, window.x.Position(x, r.y),
                                      window.y.Position(y, r.z), r.w, n) *
                              weights({ci, r.x, r.y, r.z, r.w, co});
  if (output_shape[3] % lanes == 0)
    return builder.Finish({.value = product(ci, co, x, y, n),
                           .loops = BlockedLoops(output_shape, lanes)});
  const OutputLoops loops = ImageLoops(output_shape);
  const Var c = loops.vars[0];
  return builder.Finish(
      {.value = product(c % ToExpr(lanes), c / ToExpr(lanes), x, y, n),
       .loops = loops});
}

}  // namespace pruner
