// A recursive filter of first order (an exponential mean), down and up the
// columns, then along the rows, both as a pass over columns and a
// transposition. 1536 x 2560 x 3, fp32.
#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

class RecursiveBlur : public Halide::Generator<RecursiveBlur> {
 public:
  Input<Buffer<float, 3>> input{"input"};
  Input<float> share{"share", 0.5f, 0.0f, 1.0f};  // of the new in a mean
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    Func turned = Transposed(input, input.height(), down[0], "first");
    output(x, y, c) =
        Transposed(turned, input.width(), down[1], "second")(x, y, c);
    passes[0] = turned;
    share.set_estimate(0.5f);
    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    const int lanes = natural_vector_size<float>();
    Var xi("xi"), yi("yi"), block("block");
    passes[0].compute_root();
    for (Func turned : {passes[0], Func(output)}) {
      turned.compute_root()
          .split(y, y, yi, lanes)
          .split(x, x, xi, lanes)
          .reorder(xi, yi, x, y, c)
          .vectorize(xi)
          .parallel(y)
          .parallel(c);
    }
    const Func readers[] = {passes[0], Func(output)};
    for (int pass = 0; pass < 2; ++pass) {
      Func& filtered = down[pass];
      filtered.compute_at(readers[pass], y).vectorize(x, lanes);
      for (int u = 0; u < filtered.num_update_definitions(); ++u)
        filtered.update(u).reorder(x, domains[pass][u]).vectorize(x, lanes);
    }
  }

 private:
  // The mean over what is above and below in each column of `in`, whose height
  // is given, transposed.
  Func Transposed(const Func& in, const Expr& height, Func& filtered,
                  const char* name) {
    const int pass = &filtered == &down[1];
    filtered = Func(name);
    filtered(x, y, c) = in(x, y, c);
    const RDom forth(1, height - 1), back(0, height - 1);
    filtered(x, forth, c) =
        share * filtered(x, forth, c) + (1 - share) * filtered(x, forth - 1, c);
    const Expr above = height - 2 - back;
    filtered(x, above, c) =
        share * filtered(x, above, c) + (1 - share) * filtered(x, above + 1, c);
    domains[pass][0] = forth;
    domains[pass][1] = back;
    Func turned(std::string(name) + "_turned");
    turned(x, y, c) = filtered(y, x, c);
    return turned;
  }

  Var x{"x"}, y{"y"}, c{"c"};
  RDom domains[2][2];
  Func down[2], passes[2];
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RecursiveBlur, recursive_blur)
