// Blurs a picture by depth, which it finds from a stereo pair: after Barron
// and others, "Fast Bilateral-Space Stereo for Synthetic Defocus", 2015, with
// a pyramid in place of the bilateral grid. 192 x 320, 32 depths.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Tuple;
using Halide::Var;

constexpr int kChannels = 3;
constexpr int kLevels = 8;
// A worse match costs no more: something may be in front.
constexpr float kCostCap = 192.0f;
// Levels from here on are too small to be worth vectors.
constexpr int kScalarLevel = 4;

std::vector<Func> Funcs(const std::string& name) {
  std::vector<Func> funcs;
  for (int i = 0; i < kLevels; ++i) {
    funcs.emplace_back(name + "_" + std::to_string(i));
  }
  return funcs;
}

// Half the resolution, from four neighbours.
Expr Shrink(const Expr& a, const Expr& b, const Expr& c, const Expr& d) {
  return (a + 3.0f * (b + c) + d) * 0.125f;
}

// The coarse pixel next nearest to the fine pixel `i`; i / 2 is the nearest.
Expr NextNearest(const Expr& i) { return i / 2 - 1 + 2 * (i % 2); }

class LensBlur : public Halide::Generator<LensBlur> {
 public:
  Input<Buffer<uint8_t, 3>> left{"left"};
  Input<Buffer<uint8_t, 3>> right{"right"};
  Input<int32_t> slices{"slices"};
  Input<int32_t> focus_depth{"focus_depth"};
  Input<float> blur_radius_scale{"blur_radius_scale"};
  Input<int32_t> aperture_samples{"aperture_samples"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const Expr num_slices = slices;
    const Expr focus = focus_depth;
    const Expr scale = blur_radius_scale;
    const Expr num_samples = aperture_samples;
    const Expr width = left.dim(0).extent();
    const Expr height = left.dim(1).extent();
    slice = RDom(0, num_slices);
    sample = RDom(0, num_samples);

    Func left_edge = Halide::BoundaryConditions::repeat_edge(
        left, {{left.dim(0).min(), width}, {left.dim(1).min(), height}});
    Func right_edge = Halide::BoundaryConditions::repeat_edge(
        right, {{right.dim(0).min(), right.dim(0).extent()},
                {right.dim(1).min(), right.dim(1).extent()}});

    // How badly the two pictures match at each depth.
    Expr difference = 0.0f;
    for (int i = 0; i < kChannels; ++i) {
      difference +=
          cast<float>(absd(left_edge(x, y, i), right_edge(x + d, y, i)));
    }
    cost(x, y, d) = min(difference, kCostCap);

    // Where all depths match alike the cost says little: it is weighted by
    // its variance. The argmin needs no division by the sum of weights, the
    // same for all depths.
    moments(x, y) = Tuple(0.0f, 0.0f);
    const Expr value = cost(x, y, slice.x);
    const Expr sum = moments(x, y)[0];
    const Expr squares = moments(x, y)[1];
    moments(x, y) = Tuple(sum + value, squares + value * value);
    const Expr mean = sum / cast<float>(num_slices);
    const Expr mean_square = squares / cast<float>(num_slices);
    confidence(x, y) = max(mean_square - mean * mean, 0.0f);

    // Smooths the costs: down to one pixel or so, and up again.
    down = Funcs("down");
    down_x = Funcs("down_x");
    up = Funcs("up");
    up_x = Funcs("up_x");
    down[0](x, y, d) = cost(x, y, d) * confidence(x, y);
    std::vector<Func> down_edge = {down[0]};
    Expr level_width = width;
    Expr level_height = height;
    for (int l = 1; l < kLevels; ++l) {
      const Func& finer = down_edge[l - 1];
      down_x[l](x, y, d) =
          Shrink(finer(2 * x - 1, y, d), finer(2 * x, y, d),
                 finer(2 * x + 1, y, d), finer(2 * x + 2, y, d));
      down[l](x, y, d) =
          Shrink(down_x[l](x, 2 * y - 1, d), down_x[l](x, 2 * y, d),
                 down_x[l](x, 2 * y + 1, d), down_x[l](x, 2 * y + 2, d));
      level_width = (level_width + 1) / 2;
      level_height = (level_height + 1) / 2;
      down_edge.push_back(Halide::BoundaryConditions::repeat_edge(
          down[l], {{0, level_width}, {0, level_height}}));
    }
    Func coarser = down_edge[kLevels - 1];
    for (int l = kLevels - 2; l >= 0; --l) {
      up_x[l](x, y, d) =
          0.75f * coarser(x / 2, y, d) + 0.25f * coarser(NextNearest(x), y, d);
      const Expr coarse =
          0.75f * up_x[l](x, y / 2, d) + 0.25f * up_x[l](x, NextNearest(y), d);
      up[l](x, y, d) = 0.5f * (coarse + down_edge[l](x, y, d));
      coarser = up[l];
    }

    // The depth of the least cost.
    best(x, y) = Tuple(std::numeric_limits<float>::max(), 0);
    const Expr candidate = up[0](x, y, slice.x);
    const Expr least = best(x, y)[0];
    const Expr least_at = best(x, y)[1];
    best(x, y) = Tuple(select(candidate < least, candidate, least),
                       select(candidate < least, Expr(slice.x), least_at));
    depth(x, y) = least_at;
    Func depth_edge = Halide::BoundaryConditions::repeat_edge(
        depth, {{left.dim(0).min(), width}, {left.dim(1).min(), height}});

    // The circle of confusion of each pixel, and the greatest around it.
    radius(x, y) = abs(cast<float>(depth_edge(x, y) - focus)) * scale;
    const Expr farthest = max(focus, num_slices - 1 - focus);
    const Expr reach = cast<int32_t>(ceil(cast<float>(farthest) * scale));
    window = RDom(-reach, 2 * reach + 1);
    widest_y(x, y) = 0.0f;
    widest_y(x, y) = max(widest_y(x, y), radius(x, y + window.x));
    widest(x, y) = 0.0f;
    widest(x, y) = max(widest(x, y), widest_y(x + window.x, y));

    // Random places that may shine on a pixel. Those outside the disk weigh
    // nothing, as do those behind the pixel unless it is as blurred itself.
    offset_x(x, y, s) = RandomOffset(reach);
    offset_y(x, y, s) = RandomOffset(reach);
    const Expr dx = offset_x(x, y, s);
    const Expr dy = offset_y(x, y, s);
    const Expr squared = cast<float>(dx * dx + dy * dy);
    const Expr own = radius(x, y);
    const Expr other = radius(x + dx, y + dy);
    const Expr in_front = depth_edge(x + dx, y + dy) <= depth_edge(x, y);
    weight(x, y, s) =
        select(squared <= other * other && (in_front || squared <= own * own),
               1.0f, 0.0f);

    const Expr sample_x = x + offset_x(x, y, sample.x);
    const Expr sample_y = y + offset_y(x, y, sample.x);
    gathered(x, y, c) = cast<float>(left_edge(x, y, c));
    gathered(x, y, c) +=
        weight(x, y, sample.x) * cast<float>(left_edge(sample_x, sample_y, c));
    total(x, y) = 1.0f;
    total(x, y) += weight(x, y, sample.x);
    output(x, y, c) = gathered(x, y, c) / total(x, y);

    left.set_estimates({{0, 192}, {0, 320}, {0, kChannels}});
    right.set_estimates({{0, 192}, {0, 320}, {0, kChannels}});
    slices.set_estimate(32);
    focus_depth.set_estimate(13);
    blur_radius_scale.set_estimate(0.5f);
    aperture_samples.set_estimate(32);
    output.set_estimates({{0, 192}, {0, 320}, {0, kChannels}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var xi("xi"), xv("xv");

    // Rows of sums over all depths; the cost is computed twice, not stored.
    confidence.compute_root().parallel(y).vectorize(x, lanes);
    moments.compute_at(confidence, y).vectorize(x, lanes);
    moments.update().reorder(x, slice.x, y).vectorize(x, lanes);

    // A task is one depth, with a whole pyramid in its cache.
    up[0].compute_root().parallel(d).vectorize(x, lanes);
    for (int l = 0; l < kLevels; ++l) {
      const bool vectors = l < kScalarLevel;
      down[l].compute_at(up[0], d);
      if (vectors) down[l].vectorize(x, lanes);
      if (l > 0) {
        down_x[l].store_at(up[0], d).compute_at(down[l], y);
        if (vectors) down_x[l].vectorize(x, lanes);
      }
      if (l == kLevels - 1) continue;
      if (l > 0) {
        up[l].compute_at(up[0], d);
        if (vectors) up[l].vectorize(x, lanes);
      }
      up_x[l].compute_at(up[0], d);
      // Two pixels with the same neighbour at once.
      if (vectors) {
        up_x[l]
            .align_bounds(x, 2)
            .split(x, x, xi, 2, Halide::TailStrategy::RoundUp)
            .unroll(xi)
            .vectorize(x, lanes);
      }
    }

    depth.compute_root().parallel(y).vectorize(x, lanes);
    best.compute_at(depth, y).vectorize(x, lanes);
    best.update().reorder(x, slice.x, y).vectorize(x, lanes);

    for (Func* f : {&widest_y, &widest}) {
      f->compute_root().parallel(y).vectorize(x, lanes);
      f->update().reorder(x, window.x, y).parallel(y).vectorize(x, lanes);
    }

    // Offsets and weights of a few pixels' samples, for all channels; then
    // their sums, in registers.
    output.bound(c, 0, kChannels)
        .split(x, x, xi, 32)
        .split(xi, xi, xv, lanes)
        .reorder(xv, c, xi, x, y)
        .parallel(y)
        .vectorize(xv)
        .unroll(c);
    offset_x.compute_at(output, x).vectorize(x, lanes);
    offset_y.compute_at(output, x).vectorize(x, lanes);
    weight.compute_at(output, x).vectorize(x, lanes);
    gathered.compute_at(output, xi)
        .bound(c, 0, kChannels)
        .vectorize(x, lanes)
        .unroll(c);
    gathered.update()
        .split(x, x, xv, lanes)
        .reorder(xv, c, sample.x, x, y)
        .vectorize(xv)
        .unroll(c);
    total.compute_at(output, xi).vectorize(x, lanes);
    total.update()
        .split(x, x, xv, lanes)
        .reorder(xv, sample.x, x, y)
        .vectorize(xv);
  }

 private:
  // Another one at each use, for each x, y and s.
  Expr RandomOffset(const Expr& reach) const {
    const Expr part = 2.0f * Halide::random_float() - 1.0f;
    const Expr nearest = floor(part * widest(x, y) + 0.5f);
    return clamp(cast<int32_t>(nearest), -reach, reach);
  }

  Var x{"x"}, y{"y"}, c{"c"}, d{"d"}, s{"s"};
  RDom slice, sample, window;
  Func cost{"cost"}, moments{"moments"}, confidence{"confidence"};
  std::vector<Func> down, down_x, up, up_x;
  Func best{"best"}, depth{"depth"}, radius{"radius"};
  Func widest_y{"widest_y"}, widest{"widest"};
  Func offset_x{"offset_x"}, offset_y{"offset_y"}, weight{"weight"};
  Func gathered{"gathered"}, total{"total"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LensBlur, lens_blur)
