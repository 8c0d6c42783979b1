// A box filter of 3x3 pixels, 16 bits each, in two passes; its inputs are
// larger by what it reads beyond the output. 6400 x 4800.
#include <cstdint>

#include "Halide.h"

namespace {

using Halide::Func;
using Halide::Var;

class Blur : public Halide::Generator<Blur> {
 public:
  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    rows(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3;
    output(x, y) = (rows(x, y) + rows(x, y + 1) + rows(x, y + 2)) / 3;
    input.set_estimates({{0, 6408}, {0, 4802}});
    output.set_estimates({{0, 6400}, {0, 4800}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<uint16_t>();
    Var yi("yi");
    output.split(y, y, yi, 32).parallel(y).vectorize(x, lanes);
    rows.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  Var x{"x"}, y{"y"};
  Func rows{"rows"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Blur, blur)
