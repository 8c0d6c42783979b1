// Local contrast by Laplacian pyramids (Paris, Hasinoff and Kautz, "Local
// Laplacian filters", 2011) in the fast form of Aubry, Paris, Hasinoff, Kautz
// and Durand (2014): the image is remapped around few intensities, and each
// coefficient of the result is between those of the two nearest. 1536 x 2560,
// three channels of 16 bits; eight intensities, eight levels of the pyramids.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

// Steps of the table from one intensity to the next.
constexpr int kSteps = 256;

using Line = std::function<Expr(const Expr&)>;

// At i of a line half as long.
Expr Shrink(const Line& line, const Expr& i) {
  return (line(2 * i - 1) + 3.0f * (line(2 * i) + line(2 * i + 1)) +
          line(2 * i + 2)) *
         0.125f;
}

// At i of a line twice as long.
Expr Expand(const Line& line, const Expr& i) {
  return 0.75f * line(i / 2) + 0.25f * line(i / 2 - 1 + 2 * (i % 2));
}

std::vector<Func> Pyramid(const std::string& name, int depth) {
  std::vector<Func> pyramid;
  for (int j = 0; j < depth; ++j)
    pyramid.emplace_back(name + "_" + std::to_string(j));
  return pyramid;
}

class LocalLaplacian : public Halide::Generator<LocalLaplacian> {
 public:
  GeneratorParam<int> pyramid_levels{"pyramid_levels", 8, 2, 12};
  Input<Buffer<uint16_t, 3>> input{"input"};
  Input<int32_t> levels{"levels", 8, 2, 64};
  Input<float> alpha{"alpha", 1.0f};
  Input<float> beta{"beta", 1.0f};
  Output<Buffer<uint16_t, 3>> output{"output"};

  void generate() {
    const int depth = pyramid_levels;
    const Expr last = levels - 1;
    const Expr scale = cast<float>(last);
    const Expr detail = alpha, contrast = beta;

    const Halide::Region size = {{input.dim(0).min(), input.dim(0).extent()},
                                 {input.dim(1).min(), input.dim(1).extent()}};
    const Func edge = Halide::BoundaryConditions::repeat_edge(input, size);
    color(x, y, c) = cast<float>(edge(x, y, c)) / 65535.0f;
    gray(x, y) = 0.299f * color(x, y, 0) + 0.587f * color(x, y, 1) +
                 0.114f * color(x, y, 2);

    // What is added, by how far a pixel is from the intensity.
    const Expr away = cast<float>(i) / static_cast<float>(kSteps);
    curve(i) = detail / scale * away * Halide::exp(-0.5f * away * away);

    // Gaussian pyramids of the image and of the remapped images; with half the
    // rows first.
    base = Pyramid("base", depth);
    base_half = Pyramid("base_half", depth);
    remapped = Pyramid("remapped", depth);
    remapped_half = Pyramid("remapped_half", depth);
    base[0](x, y) = gray(x, y);
    const Expr intensity = cast<float>(k) / scale;
    const Expr step =
        clamp(cast<int>(gray(x, y) * scale * static_cast<float>(kSteps)), 0,
              last * kSteps);
    remapped[0](x, y, k) = contrast * (gray(x, y) - intensity) + intensity +
                           curve(step - k * kSteps);
    for (int j = 1; j < depth; ++j) {
      base_half[j](x, y) =
          Shrink([&](const Expr& v) { return base[j - 1](x, v); }, y);
      base[j](x, y) =
          Shrink([&](const Expr& u) { return base_half[j](u, y); }, x);
      remapped_half[j](x, y, k) =
          Shrink([&](const Expr& v) { return remapped[j - 1](x, v, k); }, y);
      remapped[j](x, y, k) =
          Shrink([&](const Expr& u) { return remapped_half[j](u, y, k); }, x);
    }

    // Their Laplacian pyramids, and the one of the result.
    laplacian = Pyramid("laplacian", depth);
    blended = Pyramid("blended", depth);
    for (int j = 0; j < depth; ++j) {
      if (j == depth - 1) {
        laplacian[j](x, y, k) = remapped[j](x, y, k);
      } else {
        const Func& next = remapped[j + 1];
        const Line column = [&](const Expr& v) {
          return Expand([&](const Expr& u) { return next(u, v, k); }, x);
        };
        laplacian[j](x, y, k) = remapped[j](x, y, k) - Expand(column, y);
      }
      const Expr where = base[j](x, y) * scale;
      const Expr lower = clamp(cast<int>(where), 0, last - 1);
      const Expr part = where - cast<float>(lower);
      blended[j](x, y) = (1.0f - part) * laplacian[j](x, y, lower) +
                         part * laplacian[j](x, y, lower + 1);
    }

    // The result, from its smallest level.
    result = Pyramid("result", depth);
    result_half = Pyramid("result_half", depth);
    result[depth - 1](x, y) = blended[depth - 1](x, y);
    for (int j = depth - 2; j >= 0; --j) {
      result_half[j](x, y) =
          Expand([&](const Expr& v) { return result[j + 1](x, v); }, y);
      result[j](x, y) =
          Expand([&](const Expr& u) { return result_half[j](u, y); }, x) +
          blended[j](x, y);
    }

    // The colors keep their ratio to gray.
    const Expr bright =
        result[0](x, y) * (color(x, y, c) + 0.01f) / (gray(x, y) + 0.01f);
    output(x, y, c) =
        cast<uint16_t>(clamp(bright * 65535.0f + 0.5f, 0.0f, 65535.0f));

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    levels.set_estimate(8);
    alpha.set_estimate(1.0f);
    beta.set_estimate(1.0f);
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int depth = pyramid_levels;
    const int lanes = natural_vector_size<float>();
    Var yo("yo"), yi("yi");

    curve.compute_root();
    gray.compute_root().split(y, yo, yi, 16).parallel(yo).vectorize(x, lanes);

    // Strips of rows; each half row is made where it is needed. In memory a
    // row's intensities are together: a pixel reads two of them.
    for (int j = 1; j < depth; ++j) {
      base[j]
          .compute_root()
          .split(y, yo, yi, 8)
          .parallel(yo)
          .vectorize(x, lanes);
      base_half[j].compute_at(base[j], yi).vectorize(x, lanes);
      remapped[j]
          .compute_root()
          .reorder_storage(x, k, y)
          .split(y, yo, yi, 8)
          .reorder(x, yi, k, yo)
          .parallel(yo)
          .vectorize(x, lanes);
      remapped_half[j].compute_at(remapped[j], yi).vectorize(x, lanes);
      result[j]
          .compute_root()
          .split(y, yo, yi, 8)
          .parallel(yo)
          .vectorize(x, lanes);
      if (j < depth - 1)
        result_half[j].compute_at(result[j], yi).vectorize(x, lanes);
    }
    // The remapped image itself: for its pyramid four rows are kept; where
    // coefficients are blended it is computed again.
    remapped[0]
        .in(remapped_half[1])
        .store_at(remapped[1], k)
        .compute_at(remapped[1], yi)
        .vectorize(x, lanes);

    output.bound(c, 0, 3)
        .split(y, yo, yi, 16)
        .reorder(x, c, yi, yo)
        .parallel(yo)
        .vectorize(x, lanes);
    result[0].compute_at(output, yi).vectorize(x, lanes);
    result_half[0].compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  Var x{"x"}, y{"y"}, c{"c"}, k{"k"}, i{"i"};
  Func color{"color"}, gray{"gray"}, curve{"curve"};
  // By level, from the largest.
  std::vector<Func> base, base_half, remapped, remapped_half, laplacian;
  std::vector<Func> blended, result, result_half;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LocalLaplacian, local_laplacian)
