// A depthwise separable convolution (Chollet 2017): 3x3 on each of 32 channels,
// then 1x1 to 16, bias and ReLU; 4 images of 112 x 112, padded by who calls.
// fp32.
#include "Halide.h"

namespace {

using Halide::Func;
using Halide::RDom;
using Halide::Var;

class DepthwiseSeparable : public Halide::Generator<DepthwiseSeparable> {
 public:
  Input<Buffer<float, 4>> input{"input"};          // channel, x, y, image
  Input<Buffer<float, 3>> depthwise{"depthwise"};  // channel, x, y
  Input<Buffer<float, 2>> pointwise{"pointwise"};  // to, from
  Input<Buffer<float, 1>> bias{"bias"};
  Output<Buffer<float, 4>> output{"output"};  // channel, x, y, image

  void generate() {
    filtered(c, x, y, n) += depthwise(c, window.x, window.y) *
                            input(c, x + window.x, y + window.y, n);
    mixed(c, x, y, n) = bias(c);
    mixed(c, x, y, n) += pointwise(c, from) * filtered(from, x, y, n);
    output(c, x, y, n) = Halide::max(mixed(c, x, y, n), 0.0f);
    input.set_estimates(
        {{0, kFrom}, {0, kSize + 2}, {0, kSize + 2}, {0, kImages}});
    depthwise.set_estimates({{0, kFrom}, {0, 3}, {0, 3}});
    pointwise.set_estimates({{0, kTo}, {0, kFrom}});
    bias.set_estimates({{0, kTo}});
    output.set_estimates({{0, kTo}, {0, kSize}, {0, kSize}, {0, kImages}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var xo("xo"), xi("xi"), rows("rows");
    output.split(x, xo, xi, kPixels)
        .reorder(c, xi, xo, y, n)
        .vectorize(c, lanes)
        .unroll(xi)
        .fuse(y, n, rows)
        .parallel(rows);
    mixed.compute_at(output, xo).vectorize(c, lanes).unroll(x);
    mixed.update().reorder(c, x, from, y, n).vectorize(c, lanes).unroll(x);
    filtered.compute_at(output, xo).vectorize(c, lanes).unroll(x);
    filtered.update()
        .reorder(c, x, window.x, window.y, y, n)
        .vectorize(c, lanes)
        .unroll(x);
  }

 private:
  static constexpr int kFrom = 32, kTo = 16, kSize = 112, kImages = 4;
  static constexpr int kPixels = 7;

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  RDom window{0, 3, 0, 3, "window"};
  RDom from{0, kFrom, "from"};
  Func filtered{"filtered"}, mixed{"mixed"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DepthwiseSeparable, depthwise_separable)
