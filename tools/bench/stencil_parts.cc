#include "tools/bench/stencil_parts.h"

#include <vector>

namespace pruner {

using Halide::Func;
using Halide::Var;

const Var& X() {
  static const Var kX("x");
  return kX;
}
const Var& Y() {
  static const Var kY("y");
  return kY;
}

Func RepeatedImage(const ImageSize& size) {
  Halide::ImageParam image(Halide::Float(32), 2, "image");
  image.dim(0).set_bounds(0, size.width);
  image.dim(1).set_bounds(0, size.height);
  Func repeated("repeated");
  repeated(X(), Y()) = image(Halide::clamp(X(), 0, size.width - 1),
                             Halide::clamp(Y(), 0, size.height - 1));
  return repeated;
}

Halide::Pipeline WithImageSize(Func out, const ImageSize& size) {
  out.bound(X(), 0, size.width).bound(Y(), 0, size.height);
  return out;
}

Func Downsample(const Func& f, const std::string& name) {
  const Var &x = X(), &y = Y();
  Func rows(name + "_rows"), g(name);
  rows(x, y) = (f(2 * x - 1, y) + 3.0f * (f(2 * x, y) + f(2 * x + 1, y)) +
                f(2 * x + 2, y)) *
               0.125f;
  g(x, y) = (rows(x, 2 * y - 1) + 3.0f * (rows(x, 2 * y) + rows(x, 2 * y + 1)) +
             rows(x, 2 * y + 2)) *
            0.125f;
  return g;
}

Func Upsample(const Func& f, const std::string& name) {
  const Var &x = X(), &y = Y();
  Func rows(name + "_rows"), g(name);
  rows(x, y) = 0.75f * f(x / 2, y) + 0.25f * f(x / 2 - 1 + 2 * (x % 2), y);
  g(x, y) = 0.75f * rows(x, y / 2) + 0.25f * rows(x, y / 2 - 1 + 2 * (y % 2));
  return g;
}

Halide::Pipeline LaplacianPyramid(
    const ImageSize& size, int levels,
    absl::FunctionRef<Halide::Expr(const Func& details,
                                   const std::string& number)>
        change) {
  const Var &x = X(), &y = Y();
  std::vector<Func> gaussian = {RepeatedImage(size)};
  for (int level = 1; level < levels; ++level) {
    gaussian.push_back(
        Downsample(gaussian.back(), "gaussian" + std::to_string(level)));
  }
  Func result = gaussian.back();
  for (int level = levels - 2; level >= 0; --level) {
    const std::string number = std::to_string(level);
    const Func coarse = Upsample(gaussian[level + 1], "coarse" + number);
    const Func up = Upsample(result, "up" + number);
    Func detail("detail" + number), next("out" + number);
    detail(x, y) = gaussian[level](x, y) - coarse(x, y);
    next(x, y) = up(x, y) + change(detail, number);
    result = next;
  }
  return WithImageSize(result, size);
}

}  // namespace pruner
