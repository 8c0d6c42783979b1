#include "models/operators/window.h"

#include <algorithm>

namespace pruner {
namespace {

using Halide::Expr;

// Adds to `inside` that the padded position is one of the input, and returns
// the position in the input. In the pad's loops rounding up leads past its end,
// so that the index is clamped on both sides even if only one is padded.
Expr InputPosition(const WindowAxis& axis, const Expr& padded, Expr& inside) {
  if (!axis.IsPadded()) return padded;
  const auto require = [&](const Expr& condition) {
    inside = inside.defined() ? inside && condition : condition;
  };
  const int64_t before = axis.padding_before;
  if (before > 0) require(padded >= ToExpr(before));
  if (axis.padding_after() > 0) require(padded < ToExpr(before + axis.input));
  const Expr position = before > 0 ? padded - ToExpr(before) : padded;
  return Halide::clamp(position, 0, ToExpr(axis.input - 1));
}

}  // namespace

int64_t WindowAxis::padding_after() const {
  const int64_t reach = (output - 1) * stride + (kernel - 1) * dilation + 1;
  return std::max<int64_t>(reach - padding_before - input, 0);
}

Expr WindowAxis::Position(const Expr& i, const Expr& k) const {
  return (stride == 1 ? i : i * ToExpr(stride)) +
         (dilation == 1 ? k : k * ToExpr(dilation));
}

Window2d MakeWindow(const Shape& input, const Shape& output,
                    const Extent2d& kernel, const Extent2d& stride,
                    const Extent2d& dilation, const Padding2d& padding) {
  return {
      .y = {input[1], output[1], kernel.h, stride.h, dilation.h, padding.top},
      .x = {input[2], output[2], kernel.w, stride.w, dilation.w, padding.left}};
}

Halide::RDom WindowDomain(const Window2d& window) {
  return NamedRDom({{"rx", window.x.kernel}, {"ry", window.y.kernel}});
}

PaddedInput::PaddedInput(const TensorParameter& input, const Window2d& window)
    : input_(input) {
  if (!window.x.IsPadded() && !window.y.IsPadded()) return;
  const Halide::Var c("c"), x("x"), y("y"), n("n");
  Expr inside;
  const Expr from_x = InputPosition(window.x, x, inside);
  const Expr from_y = InputPosition(window.y, y, inside);
  pad_ = NamedFunc("pad");
  const Expr value = input_({c, from_x, from_y, n});
  pad_(c, x, y, n) =
      inside.defined() ? Halide::select(inside, value, 0.0f) : value;
}

Expr PaddedInput::operator()(const Expr& c, const Expr& x, const Expr& y,
                             const Expr& n) const {
  return pad_.defined() ? Expr(pad_(c, x, y, n)) : input_({c, x, y, n});
}

}  // namespace pruner
