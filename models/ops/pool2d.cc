// Pooling over windows.
#include "models/ops/anchors.h"
#include "models/ops/window.h"

namespace pruner {
namespace {

using Halide::Expr;

Halide::RDom WindowDomain(const Window2d& window) {
  return NamedRDom({{"rx", window.x.kernel}, {"ry", window.y.kernel}});
}

// Every window has an element of the input, and the border's nearest element is
// then one of them: reading that one instead of the padding leaves the maximum
// as it is, and needs no padded copy.
Expr NearestPosition(const WindowAxis& axis, const Expr& i, const Expr& k) {
  Expr padded = axis.Position(i, k);
  if (!axis.IsPadded()) return padded;
  return Halide::clamp(padded - ToExpr(axis.padding_before), 0,
                       ToExpr(axis.input - 1));
}

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

OpPipeline BuildAnchor(const MaxPool2d& op, PipelineBuilder& builder) {
  const Shape& input_shape = builder.AnchorInputShape(0);
  const Window2d window =
      MakeWindow(input_shape, builder.OutputShape(), op.kernel, op.stride,
                 Extent2d{}, op.padding);
  const TensorParameter input = builder.AnchorInput(0, input_shape);
  const OutputLoops loops = ImageLoops(builder.OutputShape());
  const Expr c = loops.vars[0], n = loops.vars[3];
  const Halide::RDom r = WindowDomain(window);
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = LowestFloat();
  pool(loops.vars) =
      Halide::max(pool(loops.vars),
                  input({c, NearestPosition(window.x, loops.vars[1], r.x),
                         NearestPosition(window.y, loops.vars[2], r.y), n}));
  return builder.Finish(1, pool(loops.vars), loops);
}

OpPipeline BuildAnchor(const AvgPool2d& op, PipelineBuilder& builder) {
  const Shape& input_shape = builder.AnchorInputShape(0);
  const Window2d window =
      MakeWindow(input_shape, builder.OutputShape(), op.kernel, op.stride,
                 Extent2d{}, op.padding);
  const PaddedInput input(builder.AnchorInput(0, input_shape), window);
  const OutputLoops loops = ImageLoops(builder.OutputShape());
  const Expr c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
             n = loops.vars[3];
  const Halide::RDom r = WindowDomain(window);
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = 0.0f;
  pool(loops.vars) +=
      input(c, window.x.Position(x, r.x), window.y.Position(y, r.y), n);
  return builder.Finish(1, Mean(op, window, pool(loops.vars), x, y), loops);
}

}  // namespace pruner
