// One row of the matrix per output pixel, k counts the elements of a window in
// the order in which weights are stored, channels innermost:
//
//   columns(k, x, y, n)  = pad(k % ci, x * sx + k / ci % kw * dx,
//                              y * sy + k / (ci * kw) * dy, n)
//   product(c, x, y, n) += columns(rk, x, y, n) * weights(c, rk)
//   out(c, x, y, n)      = product(c, x, y, n), and so on
#include "models/ops/im2col.h"

#include <cstdint>
#include <variant>

#include "models/operators/operators.h"
#include "models/operators/window.h"

namespace pruner {
namespace {

using Halide::Expr;

// The digit of k in a number whose lower digits count to `below` together and
// which itself counts to `extent`; the highest one if `is_last`.
Expr Digit(const Expr& k, int64_t below, int64_t extent, bool is_last) {
  if (extent == 1) return 0;
  const Expr digit = below == 1 ? k : k / ToExpr(below);
  return is_last ? digit : digit % ToExpr(extent);
}

}  // namespace

bool Im2colApplies(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  if (body.nodes.empty()) return false;
  const auto* conv = std::get_if<Conv2d>(&body.nodes[0].op);
  if (conv == nullptr || conv->groups != 1) return false;
  const Shape& weights = body.ShapeOf(body.nodes[0].inputs[1]);
  return weights[0] != 1 || weights[1] != 1 || conv->stride != Extent2d{};
}

OpPipeline BuildIm2col(PipelineBuilder& builder) {
  const auto& op = builder.AnchorOp<Conv2d>();
  const Shape input_shape = op.ImageShape(builder.InputShape(0));
  const Shape& weights_shape = builder.InputShape(1);
  const int64_t kernel_h = weights_shape[0], kernel_w = weights_shape[1];
  const int64_t channels = weights_shape[2];
  const Window2d window =
      MakeWindow(input_shape, builder.OutputShape(), {kernel_h, kernel_w},
                 op.stride, op.dilation, op.padding);
  const PaddedInput input(op.Image(builder), window);
  const WeightsParameter weights = builder.AnchorWeightsMatrix(1);

  const OutputLoops loops = ImageLoops(builder.OutputShape());
  const Halide::Var c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
                    n = loops.vars[3];
  const Halide::Var k("k");
  Halide::Func columns = NamedFunc("columns");
  columns(k, x, y, n) = input(
      Digit(k, 1, channels, kernel_h * kernel_w == 1),
      window.x.Position(x, Digit(k, channels, kernel_w, kernel_h == 1)),
      window.y.Position(y, Digit(k, channels * kernel_w, kernel_h, true)), n);

  const Halide::RDom r = NamedRDom({{"rk", kernel_h * kernel_w * channels}});
  Halide::Func product = NamedFunc("product");
  product(c, x, y, n) = 0.0f;
  product(c, x, y, n) += columns(r.x, x, y, n) * weights(c, {r.x});
  return builder.Finish({.value = product(c, x, y, n), .loops = loops});
}

}  // namespace pruner
