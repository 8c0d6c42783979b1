#include "models/operators/max_pool2d.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/pool_windows.h"
#include "models/operators/shape.h"
#include "models/operators/window.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<Shape> MaxPool2d::InferShape(Shapes inputs) const {
  return InferPoolShape(*this, inputs[0]);
}

double MaxPool2d::CountFlops(Shapes, const Shape& output) const {
  return CountPoolFlops(*this, output);
}

void MaxPool2d::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachPixelChannel(output, [&](int64_t n, int64_t y, int64_t x, int64_t c) {
    double largest = -std::numeric_limits<double>::infinity();
    VisitWindow(*this, *inputs[0], n, y, x, c,
                [&](double value) { largest = std::max(largest, value); });
    return largest;
  });
}

std::string MaxPool2d::TaskAttributes(Shapes) const {
  return PoolTaskAttributes(*this);
}

Emitted MaxPool2d::Emit(AnchorEmitter& emitter) const {
  const Shape& input_shape = emitter.InputShape(0);
  const Window2d window = MakeWindow(input_shape, emitter.OutputShape(), kernel,
                                     stride, Extent2d{}, padding);
  const TensorParameter input = emitter.Input(0, input_shape);
  const OutputLoops loops = ImageLoops(emitter.OutputShape());
  const Expr c = loops.vars[0], n = loops.vars[3];
  const Halide::RDom r = WindowDomain(window);
  // Every window has an element of the input, and the border's nearest element
  // is then one of them: reading that one instead of the padding leaves the
  // maximum as it is, and needs no padded copy.
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = LowestFloat();
  pool(loops.vars) = Halide::max(
      pool(loops.vars), input({c, window.x.Nearest(loops.vars[1], r.x),
                               window.y.Nearest(loops.vars[2], r.y), n}));
  return {.value = pool(loops.vars), .loops = loops};
}

}  // namespace pruner
