// A generator as Halide's users write them: types, a parameter, a boundary
// condition, estimates; no schedule.
#include <cstdint>

#include "Halide.h"

namespace {

class Unsharp : public Halide::Generator<Unsharp> {
 public:
  Input<Buffer<uint8_t, 2>> input{"input"};
  Input<float> strength{"strength", 1.5f, 0.0f, 10.0f};
  Output<Buffer<uint8_t, 2>> output{"output"};

  void generate() {
    Var x("x"), y("y");
    const Func edge = Halide::BoundaryConditions::repeat_edge(input);
    Func wide("wide"), rows("rows"), blurred("blurred");
    wide(x, y) = cast<float>(edge(x, y));
    rows(x, y) = wide(x - 1, y) + 2 * wide(x, y) + wide(x + 1, y);
    blurred(x, y) = (rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1)) / 16.0f;
    const Expr sharp = wide(x, y) + strength * (wide(x, y) - blurred(x, y));
    output(x, y) = cast<uint8_t>(Halide::clamp(sharp, 0.0f, 255.0f));
    input.set_estimates({{0, 1536}, {0, 1024}});
    strength.set_estimate(1.5f);
    output.set_estimates({{0, 1536}, {0, 1024}});
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
