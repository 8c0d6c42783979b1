// From what a sensor delivers to a picture, by stages like those of the
// Frankencamera (Adams et al., "The Frankencamera", 2010): hot pixels away,
// three colors for every pixel along the direction of least change, color
// correction, tone curve, sharpening. 2592 x 1968 pixels of 10 bits, in quads
//   G R
//   B G
// to 2560 x 1920, three channels of 8 bits, from pixel (16, 12) of the sensor.
#include <cstdint>

#include "Halide.h"

namespace {

using Halide::absd;
using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::max;
using Halide::min;
using Halide::select;
using Halide::Var;

Expr Mean(const Expr& a, const Expr& b) { return (a + b + 1) / 2; }

// The mean of the two that differ less: a and b, or c and d.
Expr SmootherMean(const Expr& a, const Expr& b, const Expr& c, const Expr& d) {
  return select(absd(a, b) < absd(c, d), Mean(a, b), Mean(c, d));
}

Expr ByParity(const Expr& i, const Expr& even, const Expr& odd) {
  return select(i % 2 == 0, even, odd);
}

class CameraPipe : public Halide::Generator<CameraPipe> {
 public:
  Input<Buffer<uint16_t, 2>> input{"input"};
  Input<Buffer<float, 2>> matrix_3200{"matrix_3200"};
  Input<Buffer<float, 2>> matrix_7000{"matrix_7000"};
  Input<float> color_temp{"color_temp"};
  Input<float> gamma{"gamma"};
  Input<float> contrast{"contrast"};
  Input<float> sharpen_strength{"sharpen_strength"};
  Input<int32_t> black_level{"black_level"};
  Input<int32_t> white_level{"white_level"};
  Output<Buffer<uint8_t, 3>> output{"output"};

  void generate() {
    // No pixel is brighter than all its neighbors of the same color.
    raw(x, y) = cast<int16_t>(input(x + 16, y + 12));
    const Expr brightest = max(max(raw(x - 2, y), raw(x + 2, y)),
                               max(raw(x, y - 2), raw(x, y + 2)));
    calm(x, y) = min(raw(x, y), brightest);

    green_top(x, y) = calm(2 * x, 2 * y);
    red_known(x, y) = calm(2 * x + 1, 2 * y);
    blue_known(x, y) = calm(2 * x, 2 * y + 1);
    green_bottom(x, y) = calm(2 * x + 1, 2 * y + 1);

    Demosaic();
    CorrectColors();
    MakeToneCurve();
    curved(x, y, c) = tone(clamp(cast<int32_t>(corrected(x, y, c)), 0, 1023));
    Sharpen();

    input.set_estimates({{0, 2592}, {0, 1968}});
    matrix_3200.set_estimates({{0, 4}, {0, 3}});
    matrix_7000.set_estimates({{0, 4}, {0, 3}});
    color_temp.set_estimate(3700.0f);
    gamma.set_estimate(2.0f);
    contrast.set_estimate(50.0f);
    sharpen_strength.set_estimate(1.0f);
    black_level.set_estimate(25);
    white_level.set_estimate(1023);
    output.set_estimates({{0, 2560}, {0, 1920}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int bytes = natural_vector_size<uint8_t>();
    const int lanes = natural_vector_size<int16_t>();
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), row("row");

    tone.compute_root();
    matrix.compute_root();

    // Tiles, in each two rows (of quads: one) after the other; all stages keep
    // the rows that are needed again.
    output.bound(c, 0, 3)
        .tile(x, y, xo, yo, xi, yi, 256, 64)
        .split(yi, yi, row, 2)
        .reorder(xi, c, row, yi, xo, yo)
        .parallel(yo)
        .vectorize(xi, bytes);
    column_sums.compute_at(output, c).vectorize(x, lanes);
    curved.store_at(output, xo)
        .compute_at(output, yi)
        .reorder(x, c, y)
        .vectorize(x, lanes);
    for (Func f : {red, green, blue})
      f.compute_at(curved, y).align_bounds(x, 2).vectorize(x, lanes);
    for (Func f :
         {calm, green_top, red_known, blue_known, green_bottom, green_at_red,
          green_at_blue, red_excess, blue_excess, red_at_top, red_at_blue,
          red_at_bottom, blue_at_top, blue_at_red, blue_at_bottom})
      f.store_at(output, xo).compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  // Green first; the others by what they have more than green. Funcs of quads,
  // but for the last three.
  void Demosaic() {
    green_at_red(x, y) =
        SmootherMean(green_top(x, y), green_top(x + 1, y),
                     green_bottom(x, y - 1), green_bottom(x, y));
    green_at_blue(x, y) =
        SmootherMean(green_bottom(x - 1, y), green_bottom(x, y),
                     green_top(x, y), green_top(x, y + 1));
    red_excess(x, y) = red_known(x, y) - green_at_red(x, y);
    blue_excess(x, y) = blue_known(x, y) - green_at_blue(x, y);

    red_at_top(x, y) =
        green_top(x, y) + Mean(red_excess(x - 1, y), red_excess(x, y));
    red_at_bottom(x, y) =
        green_bottom(x, y) + Mean(red_excess(x, y), red_excess(x, y + 1));
    blue_at_top(x, y) =
        green_top(x, y) + Mean(blue_excess(x, y - 1), blue_excess(x, y));
    blue_at_bottom(x, y) =
        green_bottom(x, y) + Mean(blue_excess(x, y), blue_excess(x + 1, y));

    // Along one of the diagonals.
    red_at_blue(x, y) =
        green_at_blue(x, y) +
        SmootherMean(red_excess(x, y), red_excess(x - 1, y + 1),
                     red_excess(x - 1, y), red_excess(x, y + 1));
    blue_at_red(x, y) =
        green_at_red(x, y) +
        SmootherMean(blue_excess(x, y), blue_excess(x + 1, y - 1),
                     blue_excess(x + 1, y), blue_excess(x, y - 1));

    const Expr u = x / 2, v = y / 2;
    red(x, y) = ByParity(y, ByParity(x, red_at_top(u, v), red_known(u, v)),
                         ByParity(x, red_at_blue(u, v), red_at_bottom(u, v)));
    green(x, y) =
        ByParity(y, ByParity(x, green_top(u, v), green_at_red(u, v)),
                 ByParity(x, green_at_blue(u, v), green_bottom(u, v)));
    blue(x, y) = ByParity(y, ByParity(x, blue_at_top(u, v), blue_at_red(u, v)),
                          ByParity(x, blue_known(u, v), blue_at_bottom(u, v)));
  }

  // By a matrix and an offset (its last column), between those for two color
  // temperatures, in 256ths.
  void CorrectColors() {
    const float warm = 1.0f / 3200.0f, cold = 1.0f / 7000.0f;
    const Expr part = (1.0f / color_temp - warm) / (cold - warm);
    const Expr mixed =
        matrix_3200(i, c) * (1.0f - part) + matrix_7000(i, c) * part;
    matrix(i, c) = cast<int16_t>(Halide::round(mixed * 256.0f));
    const auto factor = [&](int column) -> Expr {
      return cast<int32_t>(matrix(column, c));
    };
    const Expr sum = factor(0) * cast<int32_t>(red(x, y)) +
                     factor(1) * cast<int32_t>(green(x, y)) +
                     factor(2) * cast<int32_t>(blue(x, y)) + factor(3);
    corrected(x, y, c) = cast<int16_t>(sum / 256);
  }

  // A table for all values of 10 bits: from black to white, by gamma, then an S
  // of two parabolas that meet in the middle.
  void MakeToneCurve() {
    const Expr black = black_level, white = white_level;
    const Expr span = cast<float>(max(white - black, 1));
    const Expr linear = clamp(cast<float>(i - black) / span, 0.0f, 1.0f);
    const Expr bright = Halide::pow(linear, 1.0f / gamma);
    const Expr slope = 2.0f - Halide::pow(2.0f, contrast / 100.0f);
    const Expr bend = 2.0f - 2.0f * slope;
    const Expr end = min(bright, 1.0f - bright);
    const Expr half = (bend * end + slope) * end;
    const Expr toned = select(bright > 0.5f, 1.0f - half, half);
    tone(i) = cast<uint8_t>(clamp(toned * 255.0f + 0.5f, 0.0f, 255.0f));
  }

  // Adds, in 32nds, what a blur of 3x3 pixels takes away.
  void Sharpen() {
    column_sums(x, y, c) = cast<uint16_t>(curved(x, y - 1, c)) +
                           2 * cast<uint16_t>(curved(x, y, c)) +
                           cast<uint16_t>(curved(x, y + 1, c));
    const Expr blurred =
        cast<int16_t>((column_sums(x - 1, y, c) + 2 * column_sums(x, y, c) +
                       column_sums(x + 1, y, c) + 8) /
                      16);
    const Expr sharp = cast<int16_t>(curved(x, y, c));
    const Expr strength =
        cast<int16_t>(clamp(sharpen_strength * 32.0f, 0.0f, 128.0f));
    const Expr result = sharp + (sharp - blurred) * strength / 32;
    output(x, y, c) = cast<uint8_t>(clamp(result, 0, 255));
  }

  Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
  Func raw{"raw"}, calm{"calm"};
  // A quad's pixels that the sensor saw, top left to bottom right.
  Func green_top{"green_top"}, red_known{"red_known"};
  Func blue_known{"blue_known"}, green_bottom{"green_bottom"};
  // And what it did not see.
  Func green_at_red{"green_at_red"}, green_at_blue{"green_at_blue"};
  Func red_excess{"red_excess"}, blue_excess{"blue_excess"};
  Func red_at_top{"red_at_top"}, red_at_blue{"red_at_blue"};
  Func red_at_bottom{"red_at_bottom"}, blue_at_top{"blue_at_top"};
  Func blue_at_red{"blue_at_red"}, blue_at_bottom{"blue_at_bottom"};
  Func red{"red"}, green{"green"}, blue{"blue"};
  Func matrix{"matrix"}, corrected{"corrected"}, tone{"tone"};
  Func curved{"curved"}, column_sums{"column_sums"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(CameraPipe, camera_pipe)
