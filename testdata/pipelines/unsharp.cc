// Sharpening of a color image: what a Gaussian filter of 7x7 pixels takes from
// its luminance is added once more, and the colors follow in proportion.
// 1536 x 2560 x 3, fp32.
#include <cmath>

#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

class Unsharp : public Halide::Generator<Unsharp> {
 public:
  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const Func color = Halide::BoundaryConditions::repeat_edge(input);
    luminance(x, y) = 0.299f * color(x, y, 0) + 0.587f * color(x, y, 1) +
                      0.114f * color(x, y, 2);
    columns(x, y) = Gaussian([&](int d) { return luminance(x, y + d); });
    const Expr blurred = Gaussian([&](int d) { return columns(x + d, y); });
    ratio(x, y) = (2 * luminance(x, y) - blurred) / luminance(x, y);
    output(x, y, c) = ratio(x, y) * input(x, y, c);
    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var yi("yi");
    output.bound(c, 0, 3);
    output.split(y, y, yi, 32)
        .reorder(x, c, yi, y)
        .unroll(c)
        .vectorize(x, lanes)
        .parallel(y);
    ratio.compute_at(output, yi).vectorize(x, lanes);
    columns.compute_at(output, yi).vectorize(x, lanes);
    luminance.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  template <typename At>
  static Expr Gaussian(At at) {
    constexpr double kSigma = 1.5;
    constexpr int kRadius = 3;
    double sum = 0;
    for (int d = -kRadius; d <= kRadius; ++d)
      sum += std::exp(-d * d / (2 * kSigma * kSigma));
    Expr value = 0.0f;
    for (int d = -kRadius; d <= kRadius; ++d) {
      const double weight = std::exp(-d * d / (2 * kSigma * kSigma)) / sum;
      value += static_cast<float>(weight) * at(d);
    }
    return value;
  }

  Var x{"x"}, y{"y"}, c{"c"};
  Func luminance{"luminance"}, columns{"columns"}, ratio{"ratio"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
