// The maximum over a disk of radius 26 around each pixel: every column of the
// disk is covered by two maxima over a power of two of pixels, from a table
// built by doubling (the sparse table of Bender and Farach-Colton, "The LCA
// Problem Revisited", 2000). 1536 x 2560, three channels.
#include <cstdint>
#include <limits>

#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

class MaxFilter : public Halide::Generator<MaxFilter> {
 public:
  GeneratorParam<int> radius{"radius", 26, 1, 256};
  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int r = radius;
    // The lengths 1, 2, 4 and so on, up to the disk's diameter.
    int levels = 1;
    while ((1 << levels) <= 2 * r + 1) ++levels;
    const int longest = 1 << (levels - 1);

    const Expr top = input.dim(1).min();
    const Expr height = input.dim(1).extent();
    Func source = Halide::BoundaryConditions::repeat_edge(
        input, {{input.dim(0).min(), input.dim(0).extent()}, {top, height}});

    // The maximum of 2^k pixels from (x, y) downwards. Below the image all
    // pixels are those of its last row, so there is nothing to update there.
    rows = RDom(top - r, height + r, 1, levels - 1);
    tower(x, y, c, k) = source(x, y, c);
    const Expr half = clamp(Expr(1) << (rows.y - 1), 1, longest / 2);
    tower(x, rows.x, c, rows.y) = max(tower(x, rows.x, c, rows.y - 1),
                                      tower(x, rows.x + half, c, rows.y - 1));

    // The disk's column at dx reaches so far up and down; the greatest power
    // of two that is not longer.
    const float edge = static_cast<float>(r) + 0.25f;
    reach(dx) = cast<int32_t>(
        floor(sqrt(max(edge * edge - cast<float>(dx * dx), 0.0f))));
    level(dx) = 31 - cast<int32_t>(count_leading_zeros(2 * reach(dx) + 1));

    // The bounds are for Halide, which does not know the tables' values.
    const Expr up = clamp(reach(dx), 0, r);
    const Expr power = clamp(level(dx), 0, levels - 1);
    const Expr length = clamp(Expr(1) << power, 1, longest);
    column(x, y, c, dx) = max(tower(x, y - up, c, power),
                              tower(x, y + up + 1 - length, c, power));

    across = RDom(-r, 2 * r + 1);
    disk(x, y, c) = std::numeric_limits<float>::lowest();
    disk(x, y, c) = max(disk(x, y, c), column(x + across.x, y, c, across.x));
    output(x, y, c) = disk(x, y, c);

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    const int block = 4 * lanes;
    Var xi("xi"), xb("xb"), xv("xv"), strip("strip"), task("task");

    reach.compute_root();
    level.compute_root();

    // Strips of columns, since the table's update always takes all rows.
    output.split(x, strip, xi, 128)
        .split(xi, xi, xv, block)
        .reorder(xv, xi, y, strip, c)
        .fuse(strip, c, task)
        .parallel(task)
        .vectorize(xv, lanes)
        .unroll(xv);
    tower.compute_at(output, task).vectorize(x, lanes);
    tower.update().reorder(x, rows.x, rows.y, c).vectorize(x, lanes);

    // Four vectors of maxima stay in registers over the disk's columns.
    disk.compute_at(output, xi).vectorize(x, lanes).unroll(x, 4);
    disk.update()
        .split(x, x, xb, block)
        .split(xb, xb, xv, lanes)
        .reorder(xv, xb, across.x, x, y, c)
        .vectorize(xv)
        .unroll(xb);
  }

 private:
  Var x{"x"}, y{"y"}, c{"c"}, k{"k"}, dx{"dx"};
  RDom rows, across;
  Func tower{"tower"}, reach{"reach"}, level{"level"};
  Func column{"column"}, disk{"disk"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MaxFilter, max_filter)
