// Histogram equalization of a color image: of its luminance, the colors are
// kept. 1536 x 2560 x 3, 8 bits.
#include <cstdint>

#include "Halide.h"

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::Var;

class Equalize : public Halide::Generator<Equalize> {
 public:
  Input<Buffer<uint8_t, 3>> input{"input"};
  Output<Buffer<uint8_t, 3>> output{"output"};

  void generate() {
    const Expr red = cast<float>(input(x, y, 0));
    const Expr blue = cast<float>(input(x, y, 2));
    // In integers: who adds up floats in another order counts other pixels.
    luma(x, y) = cast<uint8_t>((77 * cast<uint16_t>(input(x, y, 0)) +
                                150 * cast<uint16_t>(input(x, y, 1)) +
                                29 * cast<uint16_t>(input(x, y, 2))) >>
                               8);
    // The differences of red and blue to it, scaled, in the middle of 8 bits.
    chroma_red(x, y) = (red - luma(x, y)) * 0.713f + 128;
    chroma_blue(x, y) = (blue - luma(x, y)) * 0.564f + 128;
    rows(bin, y) = cast<uint32_t>(0);
    r = RDom(0, input.width(), "r");
    rows(cast<int>(luma(r, y)), y) += cast<uint32_t>(1);
    all = RDom(0, input.height(), "all");
    counts(bin) = cast<uint32_t>(0);
    counts(bin) += rows(bin, all);
    RDom from_one(1, 255, "from_one");
    below(bin) = counts(0);
    below(from_one) = below(from_one - 1) + counts(from_one);
    const Expr pixels = cast<float>(input.width() * input.height());
    equalized(x, y) = cast<float>(Halide::clamp(
        cast<float>(below(cast<int>(luma(x, y)))) * (255.0f / pixels), 0.0f,
        255.0f));
    const Expr to_red = (chroma_red(x, y) - 128) * 1.4f;
    const Expr to_blue = (chroma_blue(x, y) - 128) * 1.765f;
    const Expr to_green =
        (128 - chroma_blue(x, y)) * 0.343f + (128 - chroma_red(x, y)) * 0.711f;
    const Expr color = equalized(x, y) + Halide::select(c == 0, to_red, c == 1,
                                                        to_green, to_blue);
    output(x, y, c) = cast<uint8_t>(Halide::clamp(color, 0.0f, 255.0f));
    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var yi("yi"), strip("strip"), in_strip("in_strip");
    luma.compute_root()
        .split(y, y, yi, 16)
        .parallel(y)
        .vectorize(x, natural_vector_size<uint8_t>());
    rows.compute_root().vectorize(bin, lanes).parallel(y, 16);
    rows.update().parallel(y, 16);
    counts.compute_root()
        .vectorize(bin, lanes)
        .update()
        .reorder(bin, all)
        .vectorize(bin, lanes);
    below.compute_root().update().unscheduled();
    output.bound(c, 0, 3)
        .split(y, y, yi, 16)
        .reorder(x, c, yi, y)
        .unroll(c)
        .vectorize(x, lanes)
        .parallel(y);
    equalized.compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  Var x{"x"}, y{"y"}, c{"c"}, bin{"bin"};
  RDom r, all;
  Func luma{"luma"}, chroma_red{"chroma_red"}, chroma_blue{"chroma_blue"};
  Func rows{"rows"}, counts{"counts"}, below{"below"};
  Func equalized{"equalized"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Equalize, equalize)
