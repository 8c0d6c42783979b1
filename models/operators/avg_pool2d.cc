#include "models/operators/avg_pool2d.h"

#include <cstdint>
#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/pool_windows.h"
#include "models/operators/shape.h"
#include "models/operators/window.h"

namespace pruner {
namespace {

using Halide::Expr;

// How many elements of the window at `i` belong to the input.
Expr ElementsInside(const WindowAxis& axis, const Expr& i) {
  if (!axis.IsPadded()) return ToExpr(axis.kernel);
  const Expr first = i * ToExpr(axis.stride) - ToExpr(axis.padding_before);
  return Halide::min(first + ToExpr(axis.kernel), ToExpr(axis.input)) -
         Halide::max(first, 0);
}

Expr Mean(const AvgPool2d& op, const Window2d& window, const Expr& sum,
          const Expr& x, const Expr& y) {
  if (op.count_include_pad || (!window.x.IsPadded() && !window.y.IsPadded())) {
    return sum * Expr(1.0f / static_cast<float>(op.kernel.h * op.kernel.w));
  }
  return sum / Halide::cast<float>(ElementsInside(window.x, x) *
                                   ElementsInside(window.y, y));
}

}  // namespace

absl::StatusOr<Shape> AvgPool2d::InferShape(Shapes inputs) const {
  return InferPoolShape(*this, inputs[0]);
}

double AvgPool2d::CountFlops(Shapes, const Shape& output) const {
  return CountPoolFlops(*this, output);
}

void AvgPool2d::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachPixelChannel(output, [&](int64_t n, int64_t y, int64_t x, int64_t c) {
    double sum = 0;
    int64_t count = 0;
    VisitWindow(*this, *inputs[0], n, y, x, c, [&](double value) {
      sum += value;
      ++count;
    });
    if (count_include_pad) count = kernel.h * kernel.w;
    return sum / static_cast<double>(count);
  });
}

std::string AvgPool2d::TaskAttributes(Shapes) const {
  return PoolTaskAttributes(*this);
}

Emitted AvgPool2d::Emit(AnchorEmitter& emitter) const {
  const Shape& input_shape = emitter.InputShape(0);
  const Window2d window = MakeWindow(input_shape, emitter.OutputShape(), kernel,
                                     stride, Extent2d{}, padding);
  const PaddedInput input(emitter.Input(0, input_shape), window);
  const OutputLoops loops = ImageLoops(emitter.OutputShape());
  const Expr c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
             n = loops.vars[3];
  const Halide::RDom r = WindowDomain(window);
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = 0.0f;
  pool(loops.vars) +=
      input(c, window.x.Position(x, r.x), window.y.Position(y, r.y), n);
  return {.value = Mean(*this, window, pool(loops.vars), x, y), .loops = loops};
}

}  // namespace pruner
