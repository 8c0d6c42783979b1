// Non-local means (Buades, Coll and Morel, "A non-local algorithm for image
// denoising", 2005): every pixel is the mean of those in a window, by how much
// the patches around them look alike. Per shift, the squared differences of all
// pixels are summed over patches in two passes. 1536 x 2560, three channels of
// floats from 0 to 1.
#include <cstdint>

#include "Halide.h"

namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::max;
using Halide::min;
using Halide::RDom;
using Halide::select;
using Halide::Var;

Expr Square(const Expr& e) { return e * e; }

class NlMeans : public Halide::Generator<NlMeans> {
 public:
  Input<Buffer<float, 3>> input{"input"};
  Input<int32_t> patch_size{"patch_size", 7, 1, 31};
  Input<int32_t> search_area{"search_area", 7, 1, 31};
  Input<float> sigma{"sigma", 0.12f};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const Expr patch = patch_size, area = search_area, deviation = sigma;
    column = RDom(-(patch / 2), patch);
    row = RDom(-(patch / 2), patch);
    search = RDom(-(area / 2), area, -(area / 2), area);

    const Halide::Region size = {{input.dim(0).min(), input.dim(0).extent()},
                                 {input.dim(1).min(), input.dim(1).extent()}};
    const Func edge = Halide::BoundaryConditions::repeat_edge(input, size);
    color(x, y, c) = edge(x, y, c);

    distance(x, y, dx, dy) = Square(color(x, y, 0) - color(x + dx, y + dy, 0)) +
                             Square(color(x, y, 1) - color(x + dx, y + dy, 1)) +
                             Square(color(x, y, 2) - color(x + dx, y + dy, 2));
    column_sums(x, y, dx, dy) = 0.0f;
    column_sums(x, y, dx, dy) += distance(x, y + column.x, dx, dy);
    patch_sums(x, y, dx, dy) = 0.0f;
    patch_sums(x, y, dx, dy) += column_sums(x + row.x, y, dx, dy);

    // What is farther away than fast_exp is good for weighs nothing.
    const Expr scale = -1.0f / (Square(deviation) * cast<float>(Square(patch)));
    weight(x, y, dx, dy) =
        Halide::fast_exp(max(patch_sums(x, y, dx, dy) * scale, -64.0f));

    // The fourth channel is the sum of the weights.
    const Expr u = x + search.x, v = y + search.y;
    weighted(x, y, c) = 0.0f;
    weighted(x, y, c) += weight(x, y, search.x, search.y) *
                         select(c == 3, 1.0f, color(u, v, min(c, 2)));
    output(x, y, c) = clamp(weighted(x, y, c) / weighted(x, y, 3), 0.0f, 1.0f);

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    patch_size.set_estimate(7);
    search_area.set_estimate(7);
    sigma.set_estimate(0.12f);
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");

    // Tiles; in each, one shift after the other, all in the cache.
    output.bound(c, 0, 3)
        .tile(x, y, xo, yo, xi, yi, 64, 32)
        .reorder(xi, yi, c, xo, yo)
        .parallel(yo)
        .vectorize(xi, lanes);
    color.compute_at(output, xo).vectorize(x, lanes);
    weighted.compute_at(output, xo).bound(c, 0, 4).vectorize(x, lanes);
    weighted.update()
        .reorder(c, x, y, search.x, search.y)
        .vectorize(x, lanes)
        .unroll(c);

    weight.compute_at(weighted, search.x).vectorize(x, lanes);
    patch_sums.compute_at(weight, y).vectorize(x, lanes);
    patch_sums.update().reorder(row.x, x, y).vectorize(x, lanes);
    column_sums.compute_at(weighted, search.x).vectorize(x, lanes);
    column_sums.update().reorder(column.x, x, y).vectorize(x, lanes);
    distance.compute_at(weighted, search.x).vectorize(x, lanes);
  }

 private:
  Var x{"x"}, y{"y"}, c{"c"}, dx{"dx"}, dy{"dy"};
  RDom column, row, search;
  Func color{"color"}, distance{"distance"}, column_sums{"column_sums"};
  Func patch_sums{"patch_sums"}, weight{"weight"}, weighted{"weighted"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(NlMeans, nl_means)
