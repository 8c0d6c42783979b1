// A bilateral filter by a grid over space and brightness (Chen, Paris and
// Durand, "Real-time edge-aware image processing with the bilateral grid",
// 2007): sums and counts of pixels per cell, blurred, then looked up between
// the cells. 1536 x 2560, one channel of floats from 0 to 1.
#include "Halide.h"

namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::lerp;
using Halide::RDom;
using Halide::select;
using Halide::Var;

Expr FiveTaps(const Expr& a, const Expr& b, const Expr& c, const Expr& d,
              const Expr& e) {
  return a + 4.0f * b + 6.0f * c + 4.0f * d + e;
}

class BilateralGrid : public Halide::Generator<BilateralGrid> {
 public:
  GeneratorParam<int> s_sigma{"s_sigma", 8};
  Input<Buffer<float, 2>> input{"input"};
  Input<float> r_sigma{"r_sigma"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    const int size = s_sigma;
    const Expr cells_per_unit = 1.0f / r_sigma;
    const Func edge = Halide::BoundaryConditions::repeat_edge(input);

    // Cell x is around pixel x * size; c = 0: sum, c = 1: count.
    cell = RDom(0, size, 0, size);
    const Expr value =
        clamp(edge(x * size + cell.x - size / 2, y * size + cell.y - size / 2),
              0.0f, 1.0f);
    const Expr nearest = cast<int>(value * cells_per_unit + 0.5f);
    grid(x, y, z, c) = 0.0f;
    grid(x, y, nearest, c) += select(c == 0, value, 1.0f);

    blur_z(x, y, z, c) =
        FiveTaps(grid(x, y, z - 2, c), grid(x, y, z - 1, c), grid(x, y, z, c),
                 grid(x, y, z + 1, c), grid(x, y, z + 2, c));
    blur_x(x, y, z, c) = FiveTaps(
        blur_z(x - 2, y, z, c), blur_z(x - 1, y, z, c), blur_z(x, y, z, c),
        blur_z(x + 1, y, z, c), blur_z(x + 2, y, z, c));
    blur_y(x, y, z, c) = FiveTaps(
        blur_x(x, y - 2, z, c), blur_x(x, y - 1, z, c), blur_x(x, y, z, c),
        blur_x(x, y + 1, z, c), blur_x(x, y + 2, z, c));

    // Where a pixel is between the eight cells around it.
    const Expr depth = clamp(input(x, y), 0.0f, 1.0f) * cells_per_unit;
    const Expr u = x / size, v = y / size, w = cast<int>(depth);
    const Expr right = cast<float>(x % size) / static_cast<float>(size);
    const Expr down = cast<float>(y % size) / static_cast<float>(size);
    const Expr deep = depth - cast<float>(w);
    const auto along_x = [&](const Expr& row, const Expr& layer) {
      return lerp(blur_y(u, row, layer, c), blur_y(u + 1, row, layer, c),
                  right);
    };
    const auto along_y = [&](const Expr& layer) {
      return lerp(along_x(v, layer), along_x(v + 1, layer), down);
    };
    smooth(x, y, c) = lerp(along_y(w), along_y(w + 1), deep);
    output(x, y) = smooth(x, y, 0) / smooth(x, y, 1);

    input.set_estimates({{0, 1536}, {0, 2560}});
    r_sigma.set_estimate(0.1f);
    output.set_estimates({{0, 1536}, {0, 2560}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var yo("yo"), yi("yi");

    // Rows of cells, each made and blurred in depth at once. In memory the
    // layers of a row are together: pixels of a row read any of them.
    blur_z.compute_root()
        .bound(c, 0, 2)
        .reorder(x, z, c, y)
        .reorder_storage(x, z, c, y)
        .parallel(y)
        .vectorize(x, lanes);
    grid.compute_at(blur_z, y).bound(c, 0, 2).vectorize(x, lanes);
    grid.update().reorder(c, cell.x, cell.y, x, y).unroll(c);

    // Strips of rows; of what is blurred along x, five rows are kept.
    blur_y.compute_root()
        .bound(c, 0, 2)
        .split(y, yo, yi, 16)
        .reorder(x, z, c, yi, yo)
        .reorder_storage(x, z, c, y)
        .parallel(yo)
        .vectorize(x, lanes);
    blur_x.store_at(blur_y, yo)
        .compute_at(blur_y, yi)
        .reorder(x, z, c, y)
        .reorder_storage(x, z, c, y)
        .vectorize(x, lanes);

    output.split(y, yo, yi, 8).parallel(yo).vectorize(x, lanes);
  }

 private:
  Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
  RDom cell;
  Func grid{"grid"}, blur_z{"blur_z"}, blur_x{"blur_x"}, blur_y{"blur_y"};
  Func smooth{"smooth"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BilateralGrid, bilateral_grid)
