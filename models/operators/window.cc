#include "models/operators/window.h"

#include <algorithm>
#include <cstddef>
#include <vector>

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

Expr WindowAxis::Nearest(const Expr& i, const Expr& k) const {
  Expr padded = Position(i, k);
  if (!IsPadded()) return padded;
  return Halide::clamp(padded - ToExpr(padding_before), 0, ToExpr(input - 1));
}

Window2d MakeWindow(const Shape& input, const Shape& output,
                    const Extent2d& kernel, const Extent2d& stride,
                    const Extent2d& dilation, const Padding2d& padding) {
  return {
      .y = {input[1], output[1], kernel.h, stride.h, dilation.h, padding.top},
      .x = {input[2], output[2], kernel.w, stride.w, dilation.w, padding.left}};
}

std::vector<WindowAxis> MakeWindowAxes(
    const Shape& input, const Shape& output, const std::vector<int64_t>& kernel,
    const std::vector<int64_t>& stride, const std::vector<int64_t>& dilation,
    const std::vector<int64_t>& padding_before) {
  std::vector<WindowAxis> axes;
  for (size_t d = kernel.size(); d-- > 0;) {
    axes.push_back({input[d + 1], output[d + 1], kernel[d], stride[d],
                    dilation[d], padding_before[d]});
  }
  return axes;
}

Halide::RDom WindowDomain(const Window2d& window) {
  return WindowDomain(std::vector<WindowAxis>{window.x, window.y});
}

Halide::RDom WindowDomain(const std::vector<WindowAxis>& axes) {
  std::vector<ReductionAxis> domain;
  for (const char* name : {"rx", "ry", "rz"}) {
    if (domain.size() == axes.size()) break;
    domain.push_back({name, axes[domain.size()].kernel});
  }
  return NamedRDom(domain);
}

PaddedInput::PaddedInput(const TensorParameter& input,
                         const std::vector<WindowAxis>& axes,
                         const Expr& outside)
    : input_(input) {
  if (std::none_of(axes.begin(), axes.end(),
                   [](const WindowAxis& axis) { return axis.IsPadded(); })) {
    return;
  }
  const std::vector<Halide::Var> vars =
      ImageLoops(Shape(axes.size() + 2, 1)).vars;
  std::vector<Expr> from(vars.begin(), vars.end());
  Expr inside;
  for (size_t d = 0; d < axes.size(); ++d)
    from[d + 1] = InputPosition(axes[d], vars[d + 1], inside);
  pad_ = NamedFunc("pad");
  const Expr value = input_(from);
  pad_(vars) =
      inside.defined() ? Halide::select(inside, value, outside) : value;
}

Expr PaddedInput::operator()(const std::vector<Expr>& indices) const {
  return pad_.defined() ? Expr(pad_(indices)) : input_(indices);
}

}  // namespace pruner
