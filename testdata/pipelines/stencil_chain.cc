// Thirty-two stencils of 5x5 pixels, each of what the one before it has
// computed. 1536 x 2560, 16 bits.
#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

class StencilChain : public Halide::Generator<StencilChain> {
 public:
  GeneratorParam<int> stencils{"stencils", 32, 1, 100};
  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    stages.push_back(Halide::BoundaryConditions::repeat_edge(input));
    for (int s = 0; s < stencils; ++s) {
      Func next("stencil_" + std::to_string(s));
      Expr sum = cast<uint16_t>(0);
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          const auto weight = static_cast<uint16_t>((dx + 3) * (dy + 3));
          sum += stages.back()(x + dx, y + dy) * weight;
        }
      }
      next(x, y) = sum;
      stages.push_back(next);
    }
    output(x, y) = stages.back()(x, y);
    input.set_estimates({{0, 1536}, {0, 2560}});
    output.set_estimates({{0, 1536}, {0, 2560}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<uint16_t>();
    // Tiles: each stage is computed for a tile with what the next one reads
    // around it.
    Var xi("xi"), yi("yi"), t("t");
    output.compute_root()
        .tile(x, y, xi, yi, 512, 256)
        .fuse(x, y, t)
        .parallel(t)
        .vectorize(xi, lanes);
    for (size_t s = 1; s < stages.size(); ++s) {
      stages[s].store_at(output, t).compute_at(output, yi).vectorize(x, lanes);
    }
  }

 private:
  Var x{"x"}, y{"y"};
  std::vector<Func> stages;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(StencilChain, stencil_chain)
