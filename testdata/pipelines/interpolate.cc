// Fills in missing pixels with a pyramid (the pull and push of Gortler and
// others, "The Lumigraph", 1996): alpha says where there are pixels, and the
// coarser levels fill the gaps of the finer ones. 1536 x 2560, ten levels.
#include <string>
#include <vector>

#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

constexpr int kAlpha = 3;
// The level beyond whose edge nothing is read: the coarser levels would reach
// far out of the image.
constexpr int kEdgeLevel = 3;
// Levels from here on are too small to be worth threads, and vectors.
constexpr int kSerialLevel = 4;
constexpr int kScalarLevel = 5;

std::vector<Func> Funcs(const std::string& name, int count) {
  std::vector<Func> funcs;
  for (int i = 0; i < count; ++i) {
    funcs.emplace_back(name + "_" + std::to_string(i));
  }
  return funcs;
}

class Interpolate : public Halide::Generator<Interpolate> {
 public:
  GeneratorParam<int> levels{"levels", 10, 2, 16};
  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int count = levels;
    pull = Funcs("pull", count);
    pull_x = Funcs("pull_x", count);
    push = Funcs("push", count);
    push_x = Funcs("push_x", count);

    const Expr width = input.dim(0).extent();
    const Expr height = input.dim(1).extent();
    Func source = Halide::BoundaryConditions::repeat_edge(
        input, {{input.dim(0).min(), width}, {input.dim(1).min(), height}});
    pull[0](x, y, c) =
        source(x, y, c) * select(c == kAlpha, 1.0f, source(x, y, kAlpha));

    for (int l = 1; l < count; ++l) {
      Func finer = pull[l - 1];
      if (l - 1 == kEdgeLevel) {
        finer = Halide::BoundaryConditions::repeat_edge(
            finer, {{0, width / (1 << kEdgeLevel) + 1},
                    {0, height / (1 << kEdgeLevel) + 1}});
      }
      pull_x[l](x, y, c) = Smooth(finer(2 * x - 1, y, c), finer(2 * x, y, c),
                                  finer(2 * x + 1, y, c));
      pull[l](x, y, c) =
          Smooth(pull_x[l](x, 2 * y - 1, c), pull_x[l](x, 2 * y, c),
                 pull_x[l](x, 2 * y + 1, c));
    }

    Func coarser = pull[count - 1];
    for (int l = count - 2; l >= 0; --l) {
      push_x[l](x, y, c) =
          (coarser(x / 2, y, c) + coarser((x + 1) / 2, y, c)) * 0.5f;
      const Expr filling =
          (push_x[l](x, y / 2, c) + push_x[l](x, (y + 1) / 2, c)) * 0.5f;
      push[l](x, y, c) =
          filling * (1.0f - pull[l](x, y, kAlpha)) + pull[l](x, y, c);
      coarser = push[l];
    }
    output(x, y, c) = push[0](x, y, c) / push[0](x, y, kAlpha);

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 4}});
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int count = levels;
    const int lanes = natural_vector_size<float>();
    Var xi("xi"), yi("yi");

    // All levels but the finest are stored; what was filtered along x only,
    // a few rows at a time.
    for (int l = 1; l < count; ++l) {
      StoreLevel(l, pull[l], pull_x[l]);
      if (l < kScalarLevel) pull_x[l].vectorize(x, lanes);
    }
    for (int l = 0; l + 1 < count; ++l) {
      if (l > 0) StoreLevel(l, push[l], push_x[l]);
      // Two pixels with the same neighbours at once.
      if (l < kScalarLevel) {
        push_x[l]
            .align_bounds(x, 2)
            .split(x, x, xi, 2, Halide::TailStrategy::RoundUp)
            .unroll(xi)
            .vectorize(x, lanes);
      }
    }

    // The finest level is never stored: all four channels of a pixel share
    // its alpha.
    pull_x[1].bound(c, 0, 4).reorder(c, x, y).unroll(c);

    output.bound(c, 0, 3)
        .tile(x, y, xi, yi, 256, 32)
        .reorder(xi, c, yi, x, y)
        .parallel(y)
        .vectorize(xi, lanes);
    push_x[0].store_at(output, x).compute_at(output, yi);
    push[0]
        .compute_at(output, yi)
        .bound(c, 0, 4)
        .reorder(c, x, y)
        .unroll(c)
        .vectorize(x, lanes);
  }

 private:
  static Expr Smooth(const Expr& before, const Expr& at, const Expr& after) {
    return (before + 2.0f * at + after) * 0.25f;
  }

  // Stores a level; `rows` slides down it, or down strips of it.
  void StoreLevel(int l, Func& level, Func& rows) {
    Var yi("yi");
    level.compute_root();
    if (l < kSerialLevel) {
      level.split(y, y, yi, 16).reorder(x, c, yi, y).parallel(y);
      rows.store_at(level, y).compute_at(level, yi);
    } else {
      level.reorder(x, c, y);
      rows.store_root().compute_at(level, y);
    }
    if (l < kScalarLevel) level.vectorize(x, natural_vector_size<float>());
  }

  Var x{"x"}, y{"y"}, c{"c"};
  std::vector<Func> pull, pull_x, push, push_x;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Interpolate, interpolate)
