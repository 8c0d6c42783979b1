#include "halide_ext/analyze/sample_pipelines.h"

#include <string>
#include <vector>

#include "halide_ext/analyze/fixed_names.h"

namespace pruner {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

Halide::Pipeline MatmulReluPipeline(int rows, int columns, int depth) {
  ImageParam a = DenseInput("A", {depth, rows}),
             b = DenseInput("B", {columns, depth});
  Var i("i"), j("j");
  RDom k(0, depth, "k");
  Func product = NamedFunc("product"), out = NamedFunc("out");
  product(j, i) = 0.0f;
  product(j, i) += a(k, i) * b(j, k);
  out(j, i) = Halide::max(product(j, i), 0.0f);
  out.bound(i, 0, rows).bound(j, 0, columns);
  return out;
}

Halide::Pipeline NormPipeline(int rows, int depth, int length) {
  ImageParam a = DenseInput("A", {length, depth, rows});
  Var i("i");
  RDom r(0, length, 0, depth, "r");
  Func squares = NamedFunc("squares"), out = NamedFunc("out");
  squares(i) = 0.0f;
  squares(i) += a(r.x, r.y, i) * a(r.x, r.y, i);
  out(i) = Halide::sqrt(squares(i));
  out.bound(i, 0, rows);
  return out;
}

Halide::Pipeline SumPipeline(int rows, int columns, int depth) {
  ImageParam a = DenseInput("A", {depth, rows}),
             b = DenseInput("B", {columns, depth});
  ImageParam bias = DenseInput("bias", {columns});
  Var i("i"), j("j");
  RDom k(0, depth, "k");
  Func product = NamedFunc("product");
  product(j, i) = bias(j);
  product(j, i) += a(k, i) * b(j, k);
  product.bound(j, 0, columns).bound(i, 0, rows);
  return product;
}

Halide::Pipeline WinogradProductPipeline(int tiles, int in_channels,
                                         int out_channels) {
  constexpr float kTransform[4][4] = {
      {1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
  const auto element = [&](const Expr& row, int column) {
    std::vector<Expr> elements;
    for (const auto& values : kTransform) elements.emplace_back(values[column]);
    return Halide::mux(row, elements);
  };
  const int size = 2 * tiles + 2;
  ImageParam input = DenseInput("input", {in_channels, size, size});
  ImageParam weights = DenseInput("weights", {out_channels, in_channels, 16});
  Var c("c"), t("t"), u("u"), y("y"), i("i"), p("p");
  RDom k(0, in_channels, "k");
  Func rows = NamedFunc("rows"), columns = NamedFunc("columns"),
       product = NamedFunc("product"), out = NamedFunc("out");
  Expr row = 0.0f, column = 0.0f;
  for (int a = 0; a < 4; ++a) row += element(i, a) * input(c, 2 * t + a, y);
  rows(c, t, y, i) = row;
  for (int b = 0; b < 4; ++b)
    column += element(p / 4, b) * rows(c, t, 2 * u + b, p % 4);
  columns(c, t, u, p) = column;
  product(c, t, u, p) = 0.0f;
  product(c, t, u, p) += columns(k, t, u, p) * weights(c, k, p);
  out(c, t, u, p) = Halide::max(product(c, t, u, p), 0.0f);
  out.bound(c, 0, out_channels).bound(t, 0, tiles).bound(u, 0, tiles);
  out.bound(p, 0, 16);
  return out;
}

Halide::Pipeline ConvBiasReluPipeline(const ConvSizes& s) {
  const int pad_size = s.kernel / 2;
  const int out_size = (s.size + 2 * pad_size - s.kernel) / s.stride + 1;
  ImageParam input = DenseInput("input", {s.in_channels, s.size, s.size, 1});
  ImageParam weights = DenseInput(
      "weights", {16, s.in_channels, s.kernel, s.kernel, s.out_channels / 16});
  ImageParam bias = DenseInput("bias", {s.out_channels});
  Var c("c"), x("x"), y("y"), n("n");
  RDom r(0, s.in_channels, 0, s.kernel, 0, s.kernel, "r");
  Func pad = NamedFunc("pad"), conv = NamedFunc("conv"), out = NamedFunc("out");
  const Halide::Expr inside = x >= pad_size && x < s.size + pad_size &&
                              y >= pad_size && y < s.size + pad_size;
  pad(c, x, y, n) =
      Halide::select(inside,
                     input(c, Halide::clamp(x - pad_size, 0, s.size - 1),
                           Halide::clamp(y - pad_size, 0, s.size - 1), n),
                     0.0f);
  const Halide::Expr value =
      pad_size > 0
          ? Halide::Expr(pad(r.x, x * s.stride + r.y, y * s.stride + r.z, n))
          : Halide::Expr(input(r.x, x * s.stride + r.y, y * s.stride + r.z, n));
  conv(c, x, y, n) = 0.0f;
  conv(c, x, y, n) += value * weights(c % 16, r.x, r.y, r.z, c / 16);
  out(c, x, y, n) = Halide::max(conv(c, x, y, n) + bias(c), 0.0f);
  out.bound(c, 0, s.out_channels)
      .bound(x, 0, out_size)
      .bound(y, 0, out_size)
      .bound(n, 0, 1);
  return out;
}

}  // namespace pruner
