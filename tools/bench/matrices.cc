#include "tools/bench/matrices.h"

#include <limits>

#include "halide_ext/analyze/fixed_names.h"
#include "tools/bench/pipeline_parts.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

}  // namespace

Halide::Pipeline BatchMatmul(const MatmulShape& shape) {
  const ImageParam a = DenseInput("a", {shape.depth, shape.rows, shape.batch});
  const ImageParam b =
      shape.is_transposed
          ? DenseInput("b", {shape.depth, shape.columns, shape.batch})
          : DenseInput("b", {shape.columns, shape.depth, shape.batch});
  const Var j("j"), i("i"), n("n");
  const RDom k(0, shape.depth, "k");
  Func product = NamedFunc("product"), out = NamedFunc("out");
  product(j, i, n) = 0.0f;
  product(j, i, n) +=
      a(k, i, n) * (shape.is_transposed ? b(k, j, n) : b(j, k, n));
  out(j, i, n) = product(j, i, n);
  return WithOutput(out, {shape.columns, shape.rows, shape.batch});
}

Halide::Pipeline MatrixNorm(const NormShape& shape) {
  const ImageParam a =
      DenseInput("a", {shape.columns, shape.rows, shape.batch});
  const Var n("n");
  const RDom r(0, shape.columns, 0, shape.rows, "r");
  Func sum = NamedFunc("sum"), out = NamedFunc("out");
  sum(n) = 0.0f;
  sum(n) += a(r.x, r.y, n) * a(r.x, r.y, n);
  out(n) = Halide::sqrt(sum(n));
  return WithOutput(out, {shape.batch});
}

Halide::Pipeline TransposeMatmulSoftmax(const AttentionShape& shape) {
  const std::vector<int> sizes = {shape.depth, shape.heads, shape.length,
                                  shape.batch};
  const ImageParam query = DenseInput("query", sizes),
                   key = DenseInput("key", sizes);
  const Var d("d"), j("j"), i("i"), h("h"), n("n");
  Func query_t = NamedFunc("query_t"), key_t = NamedFunc("key_t");
  query_t(d, i, h, n) = query(d, h, i, n);
  key_t(j, d, h, n) = key(d, h, j, n);

  Func product = NamedFunc("product");
  const RDom k(0, shape.depth, "k");
  product(j, i, h, n) = 0.0f;
  product(j, i, h, n) += query_t(k, i, h, n) * key_t(j, k, h, n);

  // Less the largest element, lest the exponentials overflow. It begins at the
  // lowest finite number: Halide lets LLVM assume that there are no infinities.
  const RDom r(0, shape.length, "r");
  Func largest = NamedFunc("largest"), exponential = NamedFunc("exponential");
  Func sum = NamedFunc("sum"), out = NamedFunc("out");
  largest(i, h, n) = Expr(std::numeric_limits<float>::lowest());
  largest(i, h, n) = Halide::max(largest(i, h, n), product(r, i, h, n));
  exponential(j, i, h, n) = Halide::exp(product(j, i, h, n) - largest(i, h, n));
  sum(i, h, n) = 0.0f;
  sum(i, h, n) += exponential(r, i, h, n);
  out(j, i, h, n) = exponential(j, i, h, n) / sum(i, h, n);
  return WithOutput(out,
                    {shape.length, shape.length, shape.heads, shape.batch});
}

}  // namespace pruner
