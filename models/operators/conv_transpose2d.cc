#include "models/operators/conv_transpose2d.h"

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/emission.h"
#include "models/operators/group_channels.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/task_text.h"
#include "models/operators/window.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Var;

// One spatial dimension.
struct Axis {
  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padding = 0;  // before

  // Whether the input has an element `at` whose tap k falls on output element
  // i.
  bool FindInput(int64_t i, int64_t k, int64_t& at) const {
    const int64_t distance = i + padding - k * dilation;
    at = distance / stride;
    return distance >= 0 && distance % stride == 0 && at < input;
  }
};

Axis AxisY(const ConvTranspose2d& op, const Shape& input, const Shape& weights,
           const Shape& output) {
  return {input[1],    output[1],     weights[0],
          op.stride.h, op.dilation.h, op.padding.top};
}

Axis AxisX(const ConvTranspose2d& op, const Shape& input, const Shape& weights,
           const Shape& output) {
  return {input[2],    output[2],     weights[1],
          op.stride.w, op.dilation.w, op.padding.left};
}

absl::StatusOr<int64_t> InferExtent(absl::string_view dimension,
                                    const Axis& axis, int64_t padding_after,
                                    int64_t output_padding) {
  const int64_t extent = (axis.input - 1) * axis.stride +
                         (axis.kernel - 1) * axis.dilation + 1 + output_padding;
  RETURN_IF_ERROR(CheckRange(absl::StrCat("the padded output's ", dimension),
                             extent, 1, kMaxAttribute));
  if (axis.padding + padding_after >= extent) {
    return Invalid("padding leaves nothing of dimension ", dimension,
                   " of extent ", extent);
  }
  return extent - axis.padding - padding_after;
}

// The reduction over the taps of one dimension.
//
// For t = i + padding, which counts from the padded output's first element, tap
// k reads input element (t - k * dilation) / stride if that is a whole number.
// That is so
//   without a stride at every k;
//   without dilation at k = t % stride + stride * j for any j: element t /
//     stride - j;
//   else where it is so.
// Taps are counted by j backwards, so that what is read ascends.
class Taps {
 public:
  explicit Taps(const Axis& axis) : axis_(axis) {
    const int64_t last = (axis.output - 1 + axis.padding) / axis.stride;
    count_ = axis.kernel;
    if (axis.stride > 1 && axis.dilation == 1) {
      // A kernel of which no whole number of strides is one has taps that are
      // not there.
      count_ = (axis.kernel + axis.stride - 1) / axis.stride;
      is_guarded_ = axis.kernel % axis.stride != 0;
    }
    before_ = (count_ - 1) * axis.dilation;
    if (IsSparse()) {
      before_ = (before_ + axis.stride - 1) / axis.stride;
      is_guarded_ = true;
    }
    window_ = {.input = axis.input,
               .output = last + 1,
               .kernel = before_ + 1,
               .padding_before = before_};
  }

  int64_t count() const { return count_; }
  // What is read of the input, padded: windows of `before_` elements and one
  // more.
  const WindowAxis& window() const { return window_; }

  // The kernel's element, within it.
  Expr Tap(const Expr& t, const Expr& r) const {
    const Expr tap = Unclamped(t, r);
    return is_guarded_ && !IsSparse()
               ? Halide::min(tap, ToExpr(axis_.kernel - 1))
               : tap;
  }

  // Where it reads in the padded input.
  Expr Position(const Expr& t, const Expr& r) const {
    if (IsSparse()) return Scaled(t, r) / ToExpr(axis_.stride);
    const Expr first = axis_.stride == 1 ? t : t / ToExpr(axis_.stride);
    return first + (axis_.dilation == 1 ? r : r * ToExpr(axis_.dilation));
  }

  // Adds to `is_tap` what else must hold for it to be one.
  void Guard(const Expr& t, const Expr& r, Expr& is_tap) const {
    if (!is_guarded_) return;
    const Expr condition = IsSparse() ? Scaled(t, r) % ToExpr(axis_.stride) == 0
                                      : Unclamped(t, r) < ToExpr(axis_.kernel);
    is_tap = is_tap.defined() ? is_tap && condition : condition;
  }

 private:
  bool IsSparse() const { return axis_.stride > 1 && axis_.dilation > 1; }

  Expr Unclamped(const Expr& t, const Expr& r) const {
    Expr j = ToExpr(count_ - 1) - r;
    if (axis_.stride == 1 || IsSparse()) return j;
    return t % ToExpr(axis_.stride) + j * ToExpr(axis_.stride);
  }

  // The distance from the padded input's first element, in the output.
  Expr Scaled(const Expr& t, const Expr& r) const {
    return t + ToExpr(before_ * axis_.stride) -
           Unclamped(t, r) * ToExpr(axis_.dilation);
  }

  Axis axis_;
  int64_t count_;
  int64_t before_;
  bool is_guarded_ = false;
  WindowAxis window_;
};

// Adds the loops of one dimension and returns the output's index. Where strides
// tile the output and elements of different phases read different taps, phases
// have a loop of their own: elements of one phase share weights.
Expr AddLoops(const Axis& axis, absl::string_view name, bool may_split,
              OutputLoops& loops) {
  const auto add = [&](const Var& var, int64_t extent) {
    loops.vars.push_back(var);
    loops.shape.insert(loops.shape.begin(), extent);
  };
  const Var outer{std::string(name)};
  if (!may_split || axis.stride == 1 || axis.output % axis.stride != 0) {
    add(outer, axis.output);
    return outer;
  }
  const Var phase(absl::StrCat("p", name));
  add(phase, axis.stride);
  add(outer, axis.output / axis.stride);
  return outer * ToExpr(axis.stride) + phase;
}

}  // namespace

absl::StatusOr<Shape> ConvTranspose2d::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const Shape& weights = inputs[1];
  RETURN_IF_ERROR(CheckRank("input", input, 4));
  RETURN_IF_ERROR(CheckRank("weights", weights, 4));
  RETURN_IF_ERROR(CheckExtent("stride", stride));
  RETURN_IF_ERROR(CheckExtent("dilation", dilation));
  RETURN_IF_ERROR(CheckPadding(padding, {kMaxAttribute, kMaxAttribute}));
  RETURN_IF_ERROR(
      CheckRange("output_padding.h", output_padding.h, 0, kMaxAttribute));
  RETURN_IF_ERROR(
      CheckRange("output_padding.w", output_padding.w, 0, kMaxAttribute));
  RETURN_IF_ERROR(CheckGroups(input, weights, groups));
  ASSIGN_OR_RETURN(const int64_t height,
                   InferExtent("H", AxisY(*this, input, weights, input),
                               padding.bottom, output_padding.h));
  ASSIGN_OR_RETURN(const int64_t width,
                   InferExtent("W", AxisX(*this, input, weights, input),
                               padding.right, output_padding.w));
  return Shape{input[0], height, width, weights[3]};
}

double ConvTranspose2d::CountFlops(Shapes inputs, const Shape&) const {
  const Shape& weights = inputs[1];
  const int64_t out_group = weights[3] / groups;
  return 2.0 * NumElementsAsDouble(inputs[0]) *
         static_cast<double>(weights[0] * weights[1]) *
         static_cast<double>(out_group);
}

void ConvTranspose2d::Evaluate(Arrays inputs, int threads,
                               Array& output) const {
  const Array& input = *inputs[0];
  const Array& weights = *inputs[1];
  const Axis axis_y = AxisY(*this, input.shape, weights.shape, output.shape);
  const Axis axis_x = AxisX(*this, input.shape, weights.shape, output.shape);
  const int64_t in_group = weights.shape[2], out = weights.shape[3];
  const int64_t out_group = out / groups;
  ForRows(output.shape[0] * axis_y.output, threads, [&](int64_t row) {
    const int64_t n = row / axis_y.output, y = row % axis_y.output;
    int64_t in_y = 0, in_x = 0;
    for (int64_t ky = 0; ky < axis_y.kernel; ++ky) {
      if (!axis_y.FindInput(y, ky, in_y)) continue;
      for (int64_t i = 0; i < axis_x.output * axis_x.kernel; ++i) {
        const int64_t x = i / axis_x.kernel, kx = i % axis_x.kernel;
        if (!axis_x.FindInput(x, kx, in_x)) continue;
        const int64_t pixel = (n * axis_y.input + in_y) * axis_x.input + in_x;
        const int64_t tap = ky * axis_x.kernel + kx;
        for (int64_t g = 0; g < groups; ++g) {
          double* const sums =
              &output.values[(row * axis_x.output + x) * out + g * out_group];
          AddProducts({{.input = &input.values[(pixel * groups + g) * in_group],
                        .sums = sums}},
                      &weights.values[tap * in_group * out + g * out_group],
                      in_group, out_group, out);
        }
      }
    }
  });
}

std::string ConvTranspose2d::TaskAttributes(Shapes inputs) const {
  return ConvolutionText({inputs[1][0], inputs[1][1]}, stride, dilation,
                         groups);
}

Emitted ConvTranspose2d::Emit(AnchorEmitter& emitter) const {
  const Shape& input_shape = emitter.InputShape(0);
  const Shape& weights_shape = emitter.InputShape(1);
  const Shape& output_shape = emitter.OutputShape();
  const int64_t in_group = weights_shape[2], out = weights_shape[3];
  const Axis axis_x = AxisX(*this, input_shape, weights_shape, output_shape);
  const Axis axis_y = AxisY(*this, input_shape, weights_shape, output_shape);
  const Taps taps_x(axis_x), taps_y(axis_y);
  const PaddedInput input(
      emitter.Input(0, input_shape),
      std::vector<WindowAxis>{taps_x.window(), taps_y.window()});
  const WeightsParameter weights = emitter.Weights(1);

  // An input may also be a residual, which is read by the loops of the output.
  const bool may_split = input_shape != output_shape;
  const Var c("c"), n("n");
  OutputLoops loops = {.vars = {c}, .shape = {out}, .channel = c};
  const Expr x = AddLoops(axis_x, "x", may_split, loops) + ToExpr(padding.left);
  const Expr y = AddLoops(axis_y, "y", may_split, loops) + ToExpr(padding.top);
  loops.vars.push_back(n);
  loops.shape.insert(loops.shape.begin(), output_shape[0]);

  const Halide::RDom r = NamedRDom(
      {{"rc", in_group}, {"rx", taps_x.count()}, {"ry", taps_y.count()}});
  Expr value = input(InputChannel(groups, in_group, out / groups, c, r.x),
                     taps_x.Position(x, r.y), taps_y.Position(y, r.z), n) *
               weights(c, {r.x, taps_x.Tap(x, r.y), taps_y.Tap(y, r.z)});
  Expr is_tap;
  taps_x.Guard(x, r.y, is_tap);
  taps_y.Guard(y, r.z, is_tap);
  if (is_tap.defined()) value = Halide::select(is_tap, value, 0.0f);
  Halide::Func conv = NamedFunc("conv");
  conv(loops.vars) = 0.0f;
  conv(loops.vars) += value;
  return {.value = conv(loops.vars), .loops = loops};
}

}  // namespace pruner
