#include "models/operators/conv3d.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/operators/emission.h"
#include "models/operators/group_channels.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/window.h"
#include "models/operators/window_attributes.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

// Innermost first.
std::vector<WindowAxis> AxesOf(const Conv3d& op, const Shape& input,
                               const Shape& weights, const Shape& output) {
  std::vector<int64_t> before = WithDefault(op.padding, 6, 0);
  before.resize(3);
  return MakeWindowAxes(input, output, {weights.begin(), weights.begin() + 3},
                        WithDefault(op.stride, 3, 1),
                        WithDefault(op.dilation, 3, 1), before);
}

// Where the kernel's element k reads for output element i, if inside.
bool FindInput(const WindowAxis& axis, int64_t i, int64_t k, int64_t& at) {
  at = i * axis.stride + k * axis.dilation - axis.padding_before;
  return at >= 0 && at < axis.input;
}

void ConvolveVoxel(const std::vector<WindowAxis>& axes, int64_t groups,
                   const Array& input, const Array& weights, int64_t n,
                   int64_t z, int64_t y, int64_t x, double* sums) {
  const WindowAxis &axis_x = axes[0], &axis_y = axes[1], &axis_z = axes[2];
  const int64_t in_group = weights.shape[3], out = weights.shape[4];
  const int64_t out_group = out / groups;
  int64_t in_z = 0, in_y = 0, in_x = 0;
  for (int64_t kz = 0; kz < axis_z.kernel; ++kz) {
    if (!FindInput(axis_z, z, kz, in_z)) continue;
    for (int64_t ky = 0; ky < axis_y.kernel; ++ky) {
      if (!FindInput(axis_y, y, ky, in_y)) continue;
      for (int64_t kx = 0; kx < axis_x.kernel; ++kx) {
        if (!FindInput(axis_x, x, kx, in_x)) continue;
        const int64_t row = (n * axis_z.input + in_z) * axis_y.input + in_y;
        const double* voxel =
            &input.values[(row * axis_x.input + in_x) * in_group * groups];
        const int64_t tap = (kz * axis_y.kernel + ky) * axis_x.kernel + kx;
        const double* kernel = &weights.values[tap * in_group * out];
        for (int64_t g = 0; g < groups; ++g) {
          AddProducts(
              {{.input = voxel + g * in_group, .sums = sums + g * out_group}},
              kernel + g * out_group, in_group, out_group, out);
        }
      }
    }
  }
}

}  // namespace

absl::StatusOr<Shape> Conv3d::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const Shape& weights = inputs[1];
  RETURN_IF_ERROR(CheckRank("input", input, 5));
  RETURN_IF_ERROR(CheckRank("weights", weights, 5));
  RETURN_IF_ERROR(CheckWindowAttribute("stride", stride, 3, 1));
  RETURN_IF_ERROR(CheckWindowAttribute("padding", padding, 6, 0));
  RETURN_IF_ERROR(CheckWindowAttribute("dilation", dilation, 3, 1));
  RETURN_IF_ERROR(CheckGroups(input, weights, groups));
  const std::vector<int64_t> strides = WithDefault(stride, 3, 1);
  const std::vector<int64_t> dilations = WithDefault(dilation, 3, 1);
  const std::vector<int64_t> paddings = WithDefault(padding, 6, 0);
  Shape output = {input[0]};
  for (size_t d = 0; d < 3; ++d) {
    ASSIGN_OR_RETURN(const int64_t extent,
                     WindowedExtent(d, {.input = input[d + 1],
                                        .kernel = weights[d],
                                        .stride = strides[d],
                                        .dilation = dilations[d],
                                        .padding_before = paddings[d],
                                        .padding_after = paddings[d + 3]}));
    output.push_back(extent);
  }
  output.push_back(weights[4]);
  return output;
}

double Conv3d::CountFlops(Shapes inputs, const Shape& output) const {
  const Shape& weights = inputs[1];
  return 2.0 * NumElementsAsDouble(output) * NumElementsAsDouble(weights) /
         static_cast<double>(weights[4]);
}

void Conv3d::Evaluate(Arrays inputs, int threads, Array& output) const {
  const Shape& shape = output.shape;
  const std::vector<WindowAxis> axes =
      AxesOf(*this, inputs[0]->shape, inputs[1]->shape, shape);
  ForRows(shape[0] * shape[1] * shape[2], threads, [&](int64_t row) {
    const int64_t y = row % shape[2], plane = row / shape[2];
    for (int64_t x = 0; x < shape[3]; ++x) {
      ConvolveVoxel(axes, groups, *inputs[0], *inputs[1], plane / shape[1],
                    plane % shape[1], y, x,
                    &output.values[(row * shape[3] + x) * shape[4]]);
    }
  });
}

std::string Conv3d::TaskAttributes(Shapes inputs) const {
  const Shape& weights = inputs[1];
  std::string text =
      absl::StrCat("_", ExtentsText({weights.begin(), weights.begin() + 3}),
                   "_s", ExtentsText(WithDefault(stride, 3, 1)));
  if (!dilation.empty()) absl::StrAppend(&text, "_d", ExtentsText(dilation));
  if (groups != 1) absl::StrAppend(&text, "_g", groups);
  return text;
}

Emitted Conv3d::Emit(AnchorEmitter& emitter) const {
  const Shape& input_shape = emitter.InputShape(0);
  const Shape& weights_shape = emitter.InputShape(1);
  const int64_t in_group = weights_shape[3];
  const std::vector<WindowAxis> axes =
      AxesOf(*this, input_shape, weights_shape, emitter.OutputShape());
  const PaddedInput input(emitter.Input(0, input_shape), axes);
  const WeightsParameter weights = emitter.Weights(1);

  const OutputLoops loops = ImageLoops(emitter.OutputShape());
  const Expr c = loops.vars[0];
  const Halide::RDom r = NamedRDom({{"rc", in_group},
                                    {"rx", axes[0].kernel},
                                    {"ry", axes[1].kernel},
                                    {"rz", axes[2].kernel}});
  Halide::Func conv = NamedFunc("conv");
  conv(loops.vars) = 0.0f;
  conv(loops.vars) +=
      input({InputChannel(groups, in_group, weights_shape[4] / groups, c, r.x),
             axes[0].Position(loops.vars[1], r.y),
             axes[1].Position(loops.vars[2], r.z),
             axes[2].Position(loops.vars[3], r.w), loops.vars[4]}) *
      weights(c, {r.x, r.y, r.z, r.w});
  return {.value = conv(loops.vars), .loops = loops};
}

}  // namespace pruner
