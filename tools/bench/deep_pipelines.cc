#include "tools/bench/deep_pipelines.h"

#include <string>

#include "tools/bench/stencil_parts.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Pipeline;
using Halide::Var;

Func Cross(const Func& f, const std::string& name) {
  const Var &x = X(), &y = Y();
  Func g(name);
  g(x, y) = 0.5f * f(x, y) +
            0.125f * (f(x - 1, y) + f(x + 1, y) + f(x, y - 1) + f(x, y + 1));
  return g;
}

Pipeline Chain(const ImageSize& size) {
  constexpr int kStages = 100;
  Func f = RepeatedImage(size);
  for (int i = 0; i < kStages; ++i) f = Cross(f, "step" + std::to_string(i));
  return WithImageSize(f, size);
}

Pipeline Residuals(const ImageSize& size) {
  const Var &x = X(), &y = Y();
  constexpr int kDiamonds = 40;
  Func f = RepeatedImage(size);
  for (int i = 0; i < kDiamonds; ++i) {
    const std::string number = std::to_string(i);
    const Func stencil = Cross(f, "stencil" + number);
    Func bent("bent" + number), sum("sum" + number);
    bent(x, y) = Halide::max(stencil(x, y), 0.1f * stencil(x, y));
    sum(x, y) = f(x, y) + bent(x, y);
    f = sum;
  }
  return WithImageSize(f, size);
}

Func Smooth(const Func& f, const std::string& name) {
  const Var &x = X(), &y = Y();
  Func rows(name + "_rows"), g(name);
  rows(x, y) = 0.5f * f(x, y) + 0.25f * (f(x - 1, y) + f(x + 1, y));
  g(x, y) = 0.5f * rows(x, y) + 0.25f * (rows(x, y - 1) + rows(x, y + 1));
  return g;
}

Pipeline Pyramid(const ImageSize& size) {
  constexpr int kLevels = 10;
  return LaplacianPyramid(
      size, kLevels, [](const Func& detail, const std::string& number) {
        return Expr(Smooth(detail, "smooth" + number)(X(), Y()));
      });
}

}  // namespace

std::vector<StencilCase> DeepCases(int width, int height) {
  const ImageSize size = {.width = width, .height = height};
  const auto named = [&](const char* name, Pipeline (*make)(const ImageSize&)) {
    return StencilCase{
        .name = name, .make = [=] { return make(size); }, .as_written = ""};
  };
  return {named("chain", Chain), named("residuals", Residuals),
          named("pyramid_10", Pyramid)};
}

}  // namespace pruner
