// Resizes an image with a separable cubic filter (Keys, "Cubic Convolution
// Interpolation for Digital Image Processing", 1981), stretched where the
// image shrinks. 1536 x 2560, three channels, to 768 x 1280.
#include <cstdint>

#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// Keys' cubic for a = -1/2.
Expr Cubic(const Expr& distance) {
  const Expr t = abs(distance);
  const Expr inner = (1.5f * t - 2.5f) * t * t + 1.0f;
  const Expr outer = ((2.5f - 0.5f * t) * t - 4.0f) * t + 2.0f;
  return select(t < 1.0f, inner, t < 2.0f, outer, 0.0f);
}

class Resize : public Halide::Generator<Resize> {
 public:
  // Even; at least 4, and 4 / scale_factor where the image shrinks.
  GeneratorParam<int> taps{"taps", 8, 4, 64};
  Input<Buffer<float, 3>> input{"input"};
  Input<float> scale_factor{"scale_factor"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int num_taps = taps;
    tap = RDom(0, num_taps);
    Func source = Halide::BoundaryConditions::repeat_edge(
        input, {{input.dim(0).min(), input.dim(0).extent()},
                {input.dim(1).min(), input.dim(1).extent()}});

    const Expr begin_x = DefineWeights(x, kernel_x, sums_x, weight_x);
    resized_x(x, y, c) = 0.0f;
    resized_x(x, y, c) += weight_x(x, tap.x) * source(begin_x + tap.x, y, c);

    const Expr begin_y = DefineWeights(y, kernel_y, sums_y, weight_y);
    resized_y(x, y, c) = 0.0f;
    resized_y(x, y, c) += weight_y(y, tap.x) * resized_x(x, begin_y + tap.x, c);

    // The filter overshoots at edges.
    output(x, y, c) = clamp(resized_y(x, y, c), 0.0f, 1.0f);

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    scale_factor.set_estimate(0.5f);
    output.set_estimates({{0, 768}, {0, 1280}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    const int block = 4 * lanes;
    Var xi("xi"), yi("yi"), xb("xb"), xv("xv"), strip("strip");

    ScheduleWeights(x, sums_x, weight_x, lanes);
    ScheduleWeights(y, sums_y, weight_y, lanes);

    output.tile(x, y, xi, yi, 128, 32)
        .split(xi, xi, xv, block)
        .fuse(y, c, strip)
        .parallel(strip)
        .vectorize(xv, lanes)
        .unroll(xv);

    // The rows that a tile needs, then its pixels: four vectors at a time,
    // each of whose sums stays in a register.
    resized_x.compute_at(output, x).vectorize(x, lanes);
    resized_x.update()
        .reorder(tap.x, x, y, c)
        .vectorize(x, lanes)
        .unroll(tap.x);
    resized_y.compute_at(output, xi).vectorize(x, lanes).unroll(x, 4);
    resized_y.update()
        .split(x, x, xb, block)
        .split(xb, xb, xv, lanes)
        .reorder(xv, xb, tap.x, x, y, c)
        .vectorize(xv)
        .unroll(xb)
        .unroll(tap.x);
  }

 private:
  // Defines the weights of the taps along the axis of `i`, each output pixel's
  // adding up to one; returns the source pixel of the first tap.
  Expr DefineWeights(const Var& i, Func& kernel, Func& sums, Func& weight) {
    const int num_taps = taps;
    const Expr scale = scale_factor;
    const Expr centre = (cast<float>(i) + 0.5f) / scale - 0.5f;
    const Expr begin = cast<int32_t>(floor(centre)) - (num_taps / 2 - 1);
    kernel(i, k) = Cubic((cast<float>(begin + k) - centre) * min(scale, 1.0f));
    sums(i) = 0.0f;
    sums(i) += kernel(i, tap.x);
    weight(i, k) = kernel(i, k) / sums(i);
    return begin;
  }

  void ScheduleWeights(const Var& i, Func& sums, Func& weight, int lanes) {
    sums.compute_root().vectorize(i, lanes);
    sums.update().reorder(i, tap.x).vectorize(i, lanes);
    weight.compute_root().vectorize(i, lanes);
  }

  Var x{"x"}, y{"y"}, c{"c"}, k{"k"};
  RDom tap;
  Func kernel_x{"kernel_x"}, sums_x{"sums_x"}, weight_x{"weight_x"};
  Func kernel_y{"kernel_y"}, sums_y{"sums_y"}, weight_y{"weight_y"};
  Func resized_x{"resized_x"}, resized_y{"resized_y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Resize, resize)
