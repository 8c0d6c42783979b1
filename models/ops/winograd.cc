// The transforms are separable, and so are the stages. Tiles count tx and ty, p
// is the position in a transformed tile, row by row:
//
//   transform_x(c, tx, y, n, i)      = sum over a: B^T(i, a) * pad(c, m tx + a,
//                                                              y, n)
//   transform(c, tx, ty, n, p)       = sum over b: B^T(p / s, b) *
//                              transform_x(c, tx, m ty + b, n, p % s)
//   product(c, tx, ty, n, p)        += weights(c, rc, p) *
//                                      transform(rc, tx, ty, n, p)
//   inverse_x(c, tx, ty, n, dx, j)   = sum over i: A^T(dx, i) *
//                                      product(c, tx, ty, n, j s + i)
//   out(c, x, y, n)                  = sum over j: A^T(y % m, j) *
//                        inverse_x(c, x / m, y / m, n, x % m, j), and so on
//
// Positions are the outermost loops: each is a matrix product of its own, and
// what is read of the small matrices does not change within the others.
#include "models/ops/winograd.h"

#include <cstddef>
#include <variant>
#include <vector>

#include "models/operators/operators.h"
#include "models/operators/window.h"
#include "models/ops/winograd_matrices.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

using Halide::Expr;

constexpr int64_t kKernel = 3;

// The element (row, column) of the matrix.
Expr Element(const SmallMatrix& matrix, const Expr& row, size_t column) {
  std::vector<Expr> elements;
  for (const std::vector<double>& values : matrix) {
    elements.emplace_back(static_cast<float>(values[column]));
  }
  return Halide::mux(row, elements);
}

// sum over k: matrix(row, k) * value(k).
template <typename Value>
Expr Combine(const SmallMatrix& matrix, const Expr& row, const Value& value) {
  Expr sum;
  for (size_t k = 0; k < matrix[0].size(); ++k) {
    const Expr term =
        Element(matrix, row, k) * value(ToExpr(static_cast<int64_t>(k)));
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

}  // namespace

bool WinogradApplies(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  if (body.nodes.empty()) return false;
  const auto* conv = std::get_if<Conv2d>(&body.nodes[0].op);
  if (conv == nullptr || conv->groups != 1 || conv->stride != Extent2d{} ||
      conv->dilation != Extent2d{}) {
    return false;
  }
  const TensorId weights = body.nodes[0].inputs[1];
  const Shape& shape = body.ShapeOf(weights);
  return shape[0] == kKernel && shape[1] == kKernel &&
         IsPrivateConstant(subgraph, weights);
}

OpPipeline BuildWinograd(const WinogradMatrices& matrices,
                         PipelineBuilder& builder) {
  const auto& op = builder.AnchorOp<Conv2d>();
  const auto tile = static_cast<int64_t>(matrices.output.size());
  const int64_t side = tile + kKernel - 1;
  const Shape input_shape = op.ImageShape(builder.InputShape(0));
  const Shape& output_shape = builder.OutputShape();
  // Whole tiles, which may reach beyond the output.
  Shape tiled_shape = output_shape;
  for (const int d : {1, 2}) {
    tiled_shape[d] = CeilDiv(output_shape[d], tile) * tile;
  }
  const Window2d window =
      MakeWindow(input_shape, tiled_shape, {kKernel, kKernel}, Extent2d{},
                 Extent2d{}, op.padding);
  const PaddedInput input(op.Image(builder), window);
  const WeightsParameter weights = builder.TransformedWeights(1, tile);

  const OutputLoops loops = ImageLoops(output_shape);
  const Halide::Var c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
                    n = loops.vars[3];
  const Halide::Var tx("tx"), ty("ty"), i("i"), p("p"), dx("dx"), j("j");
  const Expr m = ToExpr(tile), s = ToExpr(side);

  Halide::Func transform_x = NamedFunc("transform_x");
  transform_x(c, tx, y, n, i) = Combine(matrices.input, i, [&](const Expr& a) {
    return input(c, tx * m + a, y, n);
  });
  Halide::Func transform = NamedFunc("transform");
  transform(c, tx, ty, n, p) = Combine(
      matrices.input, p / s,
      [&](const Expr& b) { return transform_x(c, tx, ty * m + b, n, p % s); });

  const Halide::RDom r = NamedRDom({{"rc", input_shape[3]}});
  Halide::Func product = NamedFunc("product");
  product(c, tx, ty, n, p) = 0.0f;
  product(c, tx, ty, n, p) +=
      transform(r.x, tx, ty, n, p) * weights(c, {r.x}, {p});

  Halide::Func inverse_x = NamedFunc("inverse_x");
  inverse_x(c, tx, ty, n, dx, j) =
      Combine(matrices.output, dx,
              [&](const Expr& k) { return product(c, tx, ty, n, j * s + k); });
  const Expr result = Combine(matrices.output, y % m, [&](const Expr& k) {
    return inverse_x(c, x / m, y / m, n, x % m, k);
  });
  return builder.Finish({.value = result, .loops = loops});
}

}  // namespace pruner
