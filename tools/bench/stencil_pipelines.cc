#include "tools/bench/stencil_pipelines.h"

#include <string>

#include "tools/bench/stencil_parts.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::Pipeline;
using Halide::Var;

Pipeline Blur(const ImageSize& size) {
  const Var &x = X(), &y = Y();
  const Func in = RepeatedImage(size);
  Func rows("rows"), out("out");
  rows(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) * (1.0f / 3);
  out(x, y) = (rows(x, y - 1) + rows(x, y) + rows(x, y + 1)) * (1.0f / 3);
  return WithImageSize(out, size);
}

Pipeline Unsharp(const ImageSize& size) {
  const Var &x = X(), &y = Y();
  const Func in = RepeatedImage(size);
  constexpr float kWeights[] = {0.266f, 0.213f, 0.109f, 0.045f};
  const auto smooth = [&](Func f, bool vertical, const char* name) {
    const auto at = [&](int d) { return vertical ? f(x, y + d) : f(x + d, y); };
    Func g(name);
    Expr sum = kWeights[0] * at(0);
    for (int d = 1; d < 4; ++d) sum += kWeights[d] * (at(-d) + at(d));
    g(x, y) = sum;
    return g;
  };
  const Func columns = smooth(in, true, "columns");
  const Func smoothed = smooth(columns, false, "smoothed");
  Func sharpened("sharpened"), ratio("ratio"), out("out");
  sharpened(x, y) = 2.0f * in(x, y) - smoothed(x, y);
  ratio(x, y) = sharpened(x, y) / Halide::max(in(x, y), 0.01f);
  out(x, y) = clamp(ratio(x, y) * in(x, y), 0.0f, 1.0f);
  return WithImageSize(out, size);
}

Pipeline Harris(const ImageSize& size) {
  const Var &x = X(), &y = Y();
  const Func in = RepeatedImage(size);
  Func ix("ix"), iy("iy"), ixx("ixx"), iyy("iyy"), ixy("ixy"), out("out");
  ix(x, y) = (in(x + 1, y - 1) - in(x - 1, y - 1)) * (1.0f / 12) +
             (in(x + 1, y) - in(x - 1, y)) * (2.0f / 12) +
             (in(x + 1, y + 1) - in(x - 1, y + 1)) * (1.0f / 12);
  iy(x, y) = (in(x - 1, y + 1) - in(x - 1, y - 1)) * (1.0f / 12) +
             (in(x, y + 1) - in(x, y - 1)) * (2.0f / 12) +
             (in(x + 1, y + 1) - in(x + 1, y - 1)) * (1.0f / 12);
  ixx(x, y) = ix(x, y) * ix(x, y);
  iyy(x, y) = iy(x, y) * iy(x, y);
  ixy(x, y) = ix(x, y) * iy(x, y);
  const auto sum = [&](const Func& f, const char* name) {
    Func g(name);
    Expr e = f(x, y);
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx != 0 || dy != 0) e += f(x + dx, y + dy);
      }
    }
    g(x, y) = e;
    return g;
  };
  const Func sxx = sum(ixx, "sxx"), syy = sum(iyy, "syy"),
             sxy = sum(ixy, "sxy");
  Func det("det"), trace("trace");
  det(x, y) = sxx(x, y) * syy(x, y) - sxy(x, y) * sxy(x, y);
  trace(x, y) = sxx(x, y) + syy(x, y);
  out(x, y) = det(x, y) - 0.04f * trace(x, y) * trace(x, y);
  return WithImageSize(out, size);
}

Pipeline Pyramid(const ImageSize& size) {
  constexpr int kLevels = 4;
  // More of small details, less of large ones.
  return LaplacianPyramid(size, kLevels,
                          [](const Func& detail, const std::string&) -> Expr {
                            const Expr d = detail(X(), Y());
                            return d * 1.5f / (1.0f + Halide::abs(d));
                          });
}

// The image's grid has a cell for each square of kCell x kCell pixels and each
// of kCell's shades; what is near in place and shade is smoothed together, so
// that edges stay.
constexpr int kCell = 8;
constexpr float kShades = 10;

// Five taps along the dimension of the grid that `at` shifts.
template <typename At>
Func BlurGrid(const std::string& name, const std::vector<Var>& grid,
              const At& at) {
  Func g(name);
  g(grid) = at(-2) + at(2) + 4.0f * (at(-1) + at(1)) + 6.0f * at(0);
  return g;
}

Pipeline BilateralGrid(const ImageSize& size) {
  const Var &x = X(), &y = Y();
  const Var z("z"), c("c");
  const Func in = RepeatedImage(size);
  // The sum of values (c = 0) and the number of pixels (c = 1) in each cell.
  const Halide::RDom r(0, kCell, 0, kCell, "r");
  const Expr pixel = clamp(
      in(x * kCell + r.x - kCell / 2, y * kCell + r.y - kCell / 2), 0.0f, 1.0f);
  const Expr shade = Halide::cast<int>(pixel * kShades + 0.5f);
  Func histogram("histogram");
  histogram(x, y, z, c) = 0.0f;
  histogram(x, y, shade, c) += Halide::select(c == 0, pixel, 1.0f);

  const std::vector<Var> grid = {x, y, z, c};
  const Func blur_z = BlurGrid(
      "blur_z", grid, [&](int d) { return histogram(x, y, z + d, c); });
  const Func blur_x =
      BlurGrid("blur_x", grid, [&](int d) { return blur_z(x + d, y, z, c); });
  const Func blur_y =
      BlurGrid("blur_y", grid, [&](int d) { return blur_x(x, y + d, z, c); });

  const Expr depth = clamp(in(x, y), 0.0f, 1.0f) * kShades;
  const Expr zi = Halide::cast<int>(depth);
  const Expr zf = depth - zi;
  const Expr xf = Halide::cast<float>(x % kCell) / kCell;
  const Expr yf = Halide::cast<float>(y % kCell) / kCell;
  const auto corner = [&](int dx, int dy, int dz) {
    return blur_y(x / kCell + dx, y / kCell + dy, zi + dz, c);
  };
  const auto plane = [&](int dz) {
    return Halide::lerp(Halide::lerp(corner(0, 0, dz), corner(1, 0, dz), xf),
                        Halide::lerp(corner(0, 1, dz), corner(1, 1, dz), xf),
                        yf);
  };
  Func sampled("sampled"), out("out");
  sampled(x, y, c) = Halide::lerp(plane(0), plane(1), zf);
  out(x, y) = sampled(x, y, 0) / sampled(x, y, 1);
  return WithImageSize(out, size);
}

}  // namespace

std::vector<StencilCase> StencilCases(int width, int height) {
  const ImageSize size = {.width = width, .height = height};
  const auto named = [&](const char* name, Pipeline (*make)(const ImageSize&),
                         const char* as_written = "") {
    return StencilCase{.name = name,
                       .make = [=] { return make(size); },
                       .as_written = as_written};
  };
  return {named("blur", Blur), named("unsharp", Unsharp),
          named("harris", Harris), named("pyramid", Pyramid),
          named("bilateral_grid", BilateralGrid, "histogram")};
}

}  // namespace pruner
