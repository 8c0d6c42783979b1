#include "models/operators/resize.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/resize_axis.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Var;

absl::Status CheckIsOneOf(absl::string_view what, absl::string_view given,
                          absl::Span<const absl::string_view> known) {
  if (std::find(known.begin(), known.end(), given) != known.end())
    return absl::OkStatus();
  return Invalid(what, " \"", given, "\" is none of ",
                 absl::StrJoin(known, ", "));
}

absl::Status CheckNumbers(const Resize& op, size_t rank) {
  if (op.sizes.size() != rank || op.scales.size() != rank) {
    return Invalid("sizes and scales must have ", rank,
                   " numbers each, as the input has dimensions");
  }
  const size_t region = op.coordinates == "tf_crop_and_resize" ? 2 * rank : 0;
  if (op.roi.size() != region)
    return Invalid("roi must have ", region, " numbers, not ", op.roi.size());
  RETURN_IF_ERROR(CheckFinite("extrapolation_value", op.extrapolation_value));
  RETURN_IF_ERROR(CheckFinite("cubic_coeff_a", op.cubic_coeff_a));
  // Positions stay exact enough, and far from overflow.
  for (const double scale : op.scales) {
    if (!(scale >= 0x1p-30 && scale <= 0x1p30))
      return Invalid("scales = ", scale, " is not between 2^-30 and 2^30");
  }
  for (const double bound : op.roi) {
    if (!(bound >= -0x1p20 && bound <= 0x1p20))
      return Invalid("roi = ", bound, " is not between -2^20 and 2^20");
  }
  return absl::OkStatus();
}

// A kernel that interpolates one dimension after the other stores what is
// between them.
absl::Status CheckStages(const Shape& input, const Shape& output) {
  Shape stage = input;
  for (size_t d = 0; d < input.size(); ++d) {
    stage[d] = output[d];
    RETURN_IF_ERROR(CheckShape(stage));
  }
  return absl::OkStatus();
}

}  // namespace

ResizeAxis MakeResizeAxis(const Resize& op, const Shape& input, size_t d) {
  const auto in = static_cast<double>(input[d]);
  const auto out = static_cast<double>(op.sizes[d]);
  const double scale = op.scales[d];
  ResizeAxis axis = {
      .extent = in, .shift = 0.5, .divisor = scale, .offset = -0.5};
  if (op.coordinates == "half_pixel_symmetric")
    axis.offset += in / 2 * (1 - out / (scale * in));
  if (op.coordinates == "asymmetric") axis.shift = axis.offset = 0;
  if (op.coordinates == "pytorch_half_pixel" && out == 1)
    axis = {.extent = in, .factor = 0};
  if (op.coordinates == "align_corners") {
    axis = {.extent = in,
            .factor = out == 1 ? 0 : in - 1,
            .divisor = std::max(out - 1, 1.0)};
  }
  if (op.coordinates == "tf_crop_and_resize") {
    const double start = op.roi[d], end = op.roi[d + input.size()];
    axis = {.extent = in,
            .factor = out == 1 ? 0 : (end - start) * (in - 1),
            .divisor = std::max(out - 1, 1.0),
            .offset = (out == 1 ? 0.5 * (start + end) : start) * (in - 1)};
  }
  return axis;
}

absl::StatusOr<Shape> Resize::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckIsOneOf("mode", mode, {"nearest", "linear", "cubic"}));
  RETURN_IF_ERROR(
      CheckIsOneOf("coordinates", coordinates,
                   {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                    "align_corners", "asymmetric", "tf_crop_and_resize"}));
  RETURN_IF_ERROR(CheckIsOneOf(
      "nearest_mode", nearest_mode,
      {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  RETURN_IF_ERROR(CheckNumbers(*this, inputs[0].size()));
  RETURN_IF_ERROR(CheckShape(sizes));
  RETURN_IF_ERROR(CheckStages(inputs[0], sizes));
  return sizes;
}

double Resize::CountFlops(Shapes inputs, const Shape& output) const {
  if (mode == "nearest") return 0;
  const double taps = mode == "linear" ? 2 : 4;
  double flops = 0;
  Shape stage = inputs[0];
  for (size_t d = 0; d < output.size(); ++d) {
    stage[d] = output[d];
    if (!MakeResizeAxis(*this, inputs[0], d).IsIdentity(output[d]))
      flops += 2 * taps * NumElementsAsDouble(stage);
  }
  return flops;
}

namespace {

// An element of the output: of each dimension what it takes of which elements.
double WeightedSum(const Array& input, const std::vector<int64_t>& strides,
                   const std::vector<ResizeTaps<double>>& taps, size_t d,
                   int64_t from) {
  if (d == taps.size()) return input.values[from];
  double sum = 0;
  for (size_t k = 0; k < taps[d].weights.size(); ++k) {
    const auto index = static_cast<int64_t>(taps[d].indices[k]);
    sum += taps[d].weights[k] *
           WeightedSum(input, strides, taps, d + 1, from + index * strides[d]);
  }
  return sum;
}

bool IsOutside(const ResizeAxis& axis, double position) {
  return position < 0 || position > axis.extent - 1;
}
Expr IsOutside(const ResizeAxis& axis, const Expr& position) {
  return position < ConstantLike(position, 0) ||
         position > ConstantLike(position, axis.extent - 1);
}

}  // namespace

void Resize::Evaluate(Arrays inputs, int, Array& output) const {
  const Array& input = *inputs[0];
  const size_t rank = output.shape.size();
  const std::vector<int64_t> strides = Strides(input.shape);
  std::vector<ResizeAxis> axes;
  std::vector<bool> is_identity;
  for (size_t d = 0; d < rank; ++d) {
    axes.push_back(MakeResizeAxis(*this, input.shape, d));
    is_identity.push_back(axes[d].IsIdentity(output.shape[d]));
  }
  std::vector<ResizeTaps<double>> taps(rank);
  ForEachIndex(output.shape, [&](int64_t i, absl::Span<const int64_t> index) {
    bool is_outside = false;
    for (size_t d = 0; d < rank; ++d) {
      const auto at = static_cast<double>(index[d]);
      if (is_identity[d]) {
        taps[d] = {.indices = {at}, .weights = {1.0}};
        continue;
      }
      const double position = axes[d].Position(at);
      is_outside |= IsOutside(axes[d], position);
      taps[d] = TapsAt(*this, axes[d], position);
    }
    output.values[i] = is_outside && coordinates == "tf_crop_and_resize"
                           ? extrapolation_value
                           : WeightedSum(input, strides, taps, 0, 0);
  });
}

std::string Resize::TaskAttributes(Shapes) const {
  return absl::StrCat("_", mode);
}

namespace {

using Indices = std::vector<Expr>;  // outermost first
using Read = std::function<Expr(const Indices&)>;

// What `read` has at the loops of the output in dimension g, and at those of
// the input in those behind it.
Expr Interpolate(const Resize& op, const ResizeAxis& axis, const Read& read,
                 const Indices& at, size_t g) {
  const ResizeTaps<Expr> taps =
      TapsAt(op, axis, axis.Position(Halide::cast<double>(at[g])));
  Expr sum;
  for (size_t k = 0; k < taps.weights.size(); ++k) {
    Indices tap = at;
    tap[g] = Halide::cast<int32_t>(taps.indices[k]);
    const Expr element = read(tap);
    const Expr term =
        op.mode == "nearest" ? element : element * taps.weights[k];
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

}  // namespace

Emitted Resize::Emit(AnchorEmitter& emitter) const {
  const Shape& input = emitter.InputShape(0);
  const Shape& output = emitter.OutputShape();
  constexpr int64_t kWhole = 0, kChannels = -2;
  std::vector<ResizeAxis> axes;
  std::vector<int64_t> marks;
  for (size_t d = 0; d < input.size(); ++d) {
    axes.push_back(MakeResizeAxis(*this, input, d));
    marks.push_back(!axes[d].IsIdentity(output[d]) ? static_cast<int64_t>(d) + 1
                    : output[d] == 1               ? kAnyMark
                    : d + 1 == input.size()        ? kChannels
                                                   : kWhole);
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  Shape input_shape = GroupedShape(input, groups);
  const GroupLoops out = LoopOverGroups(GroupedShape(output, groups), output);
  if (groups.empty()) input_shape = {1};
  const TensorParameter tensor = emitter.Input(0, input_shape);
  Read read = [&](const Indices& at) {
    return ReadAt(tensor, at.empty() ? Indices{0} : at);
  };
  std::vector<Var> vars;  // outermost first
  for (size_t g = 0; g < groups.size(); ++g)
    vars.emplace_back(absl::StrCat("g", g));
  const Indices here(vars.begin(), vars.end());

  // One dimension after the other, each a Func of its own; nearest elements are
  // read where they are.
  Expr outside = Halide::Internal::const_false();
  int stages = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].mark <= kWhole) continue;
    const ResizeAxis& axis = axes[groups[g].mark - 1];
    outside = outside ||
              IsOutside(axis, axis.Position(Halide::cast<double>(out.at[g])));
    const Read before = read;
    if (mode == "nearest") {
      read = [=, this](const Indices& at) {
        return Interpolate(*this, axis, before, at, g);
      };
      continue;
    }
    Halide::Func resized = NamedFunc(absl::StrCat("resized", stages++));
    resized(std::vector<Var>(vars.rbegin(), vars.rend())) =
        Interpolate(*this, axis, before, here, g);
    read = [=](const Indices& at) -> Expr {
      return resized(Indices(at.rbegin(), at.rend()));
    };
  }
  Expr value = read(out.at);
  if (coordinates == "tf_crop_and_resize")
    value = Halide::select(outside, FloatExpr(extrapolation_value), value);
  return {.value = value, .loops = out.loops};
}

}  // namespace pruner
