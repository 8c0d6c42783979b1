// The corner response of Harris and Stephens ("A Combined Corner and Edge
// Detector", 1988) of a colour image; its input is larger by what it reads
// beyond the output. 1530 x 2554 of 1536 x 2560.
#include "Halide.h"

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

// How much a strong edge counts against a corner.
constexpr float kEdgePenalty = 0.04f;

class Harris : public Halide::Generator<Harris> {
 public:
  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) +
                 0.114f * input(x, y, 2);

    // Sobel: the difference along one axis, smoothed along the other.
    grad_x(x, y) =
        (DifferenceX(y - 1) + 2.0f * DifferenceX(y) + DifferenceX(y + 1)) *
        0.125f;
    grad_y(x, y) =
        (DifferenceY(x - 1) + 2.0f * DifferenceY(x) + DifferenceY(x + 1)) *
        0.125f;

    product_xx(x, y) = grad_x(x, y) * grad_x(x, y);
    product_xy(x, y) = grad_x(x, y) * grad_y(x, y);
    product_yy(x, y) = grad_y(x, y) * grad_y(x, y);
    window_xx(x, y) = WindowSum(product_xx);
    window_xy(x, y) = WindowSum(product_xy);
    window_yy(x, y) = WindowSum(product_yy);

    const Expr determinant =
        window_xx(x, y) * window_yy(x, y) - window_xy(x, y) * window_xy(x, y);
    const Expr trace = window_xx(x, y) + window_yy(x, y);
    output(x, y) = determinant - kEdgePenalty * trace * trace;

    input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    output.set_estimates({{3, 1530}, {3, 2554}});
  }

  void schedule() {
    if (using_autoscheduler()) return;
    // Three stages slide down each strip, a few rows of them kept; products
    // and windows are cheaper to compute again than to load.
    const int lanes = natural_vector_size<float>();
    Var yi("yi");
    output.split(y, y, yi, 32).parallel(y).vectorize(x, lanes);
    gray.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
    grad_x.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
    grad_y.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
  }

 private:
  Expr DifferenceX(const Expr& row) const {
    return gray(x + 1, row) - gray(x - 1, row);
  }

  Expr DifferenceY(const Expr& column) const {
    return gray(column, y + 1) - gray(column, y - 1);
  }

  // Over the 3 x 3 pixels around (x, y).
  Expr WindowSum(const Func& f) const {
    Expr sum = f(x - 1, y - 1);
    for (int i = 1; i < 9; ++i) sum += f(x + (i % 3 - 1), y + (i / 3 - 1));
    return sum;
  }

  Var x{"x"}, y{"y"};
  Func gray{"gray"}, grad_x{"grad_x"}, grad_y{"grad_y"};
  Func product_xx{"product_xx"}, product_xy{"product_xy"};
  Func product_yy{"product_yy"};
  Func window_xx{"window_xx"}, window_xy{"window_xy"}, window_yy{"window_yy"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
