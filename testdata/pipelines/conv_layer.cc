// A convolution of a neural network with bias and ReLU: 3x3, 128 to 128
// channels, 5 images of 100 x 80. fp32.
#include "Halide.h"

namespace {

using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::Var;

class ConvLayer : public Halide::Generator<ConvLayer> {
 public:
  Input<Buffer<float, 4>> input{"input"};    // channel, x, y, image
  Input<Buffer<float, 4>> filter{"filter"};  // to, x, y, from
  Input<Buffer<float, 1>> bias{"bias"};
  Output<Buffer<float, 4>> output{"output"};  // channel, x, y, image

  void generate() {
    sums(c, x, y, n) = bias(c);
    sums(c, x, y, n) +=
        filter(c, r.y, r.z, r.x) * input(r.x, x + r.y, y + r.z, n);
    output(c, x, y, n) = Halide::max(0.0f, sums(c, x, y, n));
    input.set_estimates(
        {{0, kChannels}, {0, kWidth + 2}, {0, kHeight + 2}, {0, kImages}});
    filter.set_estimates({{0, kChannels}, {0, 3}, {0, 3}, {0, kChannels}});
    bias.set_estimates({{0, kChannels}});
    output.set_estimates(
        {{0, kChannels}, {0, kWidth}, {0, kHeight}, {0, kImages}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    // As many accumulators as registers hold beside what they are made of.
    const bool is_wide = get_target().has_feature(Halide::Target::AVX512);
    const int vectors = is_wide ? 4 : 2;
    const int pixels = is_wide ? 6 : 5;
    Var co("co"), ci("ci"), xo("xo"), xi("xi"), tile("tile");
    output.split(c, co, ci, lanes * vectors)
        .split(x, xo, xi, pixels)
        .reorder(ci, xi, xo, y, n, co)
        .vectorize(ci, lanes)
        .unroll(ci)
        .unroll(xi)
        .fuse(y, n, tile)
        .fuse(tile, co, tile)
        .parallel(tile);
    sums.compute_at(output, xo)
        .vectorize(c, lanes)
        .unroll(c)
        .unroll(x)
        .unroll(y)
        .update()
        .reorder(c, x, y, r.x, r.y, r.z, n)
        .vectorize(c, lanes)
        .unroll(c)
        .unroll(x)
        .unroll(y);
  }

 private:
  static constexpr int kChannels = 128, kWidth = 100, kHeight = 80, kImages = 5;

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  RDom r{0, kChannels, 0, 3, 0, 3, "r"};
  Func sums{"sums"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ConvLayer, conv_layer)
