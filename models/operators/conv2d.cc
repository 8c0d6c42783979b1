#include "models/operators/conv2d.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/group_channels.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/task_text.h"
#include "models/operators/transpose.h"
#include "models/operators/window.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

// Pixels that are computed at once, next to each other.
constexpr int64_t kPixels = 8;

// Pixels x to x + count of a row; `sums` are those of the first one.
void ConvolvePixels(const Conv2d& op, const Array& input, const Array& weights,
                    int64_t batch, int64_t y, int64_t x, int64_t count,
                    double* sums) {
  const int64_t height = input.shape[1], width = input.shape[2];
  const int64_t in_channels = input.shape[3], out_channels = weights.shape[3];
  const int64_t in_group = weights.shape[2],
                out_group = out_channels / op.groups;
  for (int64_t ky = 0; ky < weights.shape[0]; ++ky) {
    const int64_t in_y = y * op.stride.h + ky * op.dilation.h - op.padding.top;
    if (in_y < 0 || in_y >= height) continue;
    const double* const row =
        &input.values[(batch * height + in_y) * width * in_channels];
    for (int64_t kx = 0; kx < weights.shape[1]; ++kx) {
      std::array<ProductRow, kPixels> rows;
      size_t inside = 0;
      for (int64_t i = 0; i < count; ++i) {
        const int64_t in_x =
            (x + i) * op.stride.w + kx * op.dilation.w - op.padding.left;
        if (in_x < 0 || in_x >= width) continue;
        rows[inside++] = {.input = row + in_x * in_channels,
                          .sums = sums + i * out_channels};
      }
      const absl::Span<ProductRow> group = absl::MakeSpan(rows).first(inside);
      const double* kernel =
          &weights
               .values[(ky * weights.shape[1] + kx) * in_group * out_channels];
      for (int64_t g = 0; g < op.groups; ++g) {
        AddProducts(group, kernel + g * out_group, in_group, out_group,
                    out_channels);
        for (ProductRow& pixel : group) {
          pixel.input += in_group;
          pixel.sums += out_group;
        }
      }
    }
  }
}

}  // namespace

absl::StatusOr<Shape> Conv2d::InferShape(Shapes inputs) const {
  const Shape& weights = inputs[1];
  RETURN_IF_ERROR(CheckRank("input", inputs[0], 4));
  const Shape input = ImageShape(inputs[0]);
  RETURN_IF_ERROR(CheckRank("weights", weights, 4));
  RETURN_IF_ERROR(CheckExtent("stride", stride));
  RETURN_IF_ERROR(CheckExtent("dilation", dilation));
  RETURN_IF_ERROR(CheckPadding(padding, {kMaxAttribute, kMaxAttribute}));
  RETURN_IF_ERROR(CheckGroups(input, weights, groups));
  RETURN_IF_ERROR(CheckRange("kernel.h", weights[0], 1, kMaxAttribute));
  RETURN_IF_ERROR(CheckRange("kernel.w", weights[1], 1, kMaxAttribute));
  const Extent2d window{(weights[0] - 1) * dilation.h + 1,
                        (weights[1] - 1) * dilation.w + 1};
  return WindowedShape(input, window, stride, padding, weights[3]);
}

double Conv2d::CountFlops(Shapes inputs, const Shape& output) const {
  const Shape& weights = inputs[1];
  return 2.0 * NumElementsAsDouble(output) *
         static_cast<double>(weights[0] * weights[1]) *
         static_cast<double>(weights[2]);
}

Shape Conv2d::ImageShape(const Shape& input) const {
  return channels_first ? Shape{input[0], input[2], input[3], input[1]} : input;
}

TensorParameter Conv2d::Image(AnchorEmitter& emitter) const {
  const TensorParameter input = emitter.Input(0, emitter.InputShape(0));
  return channels_first ? input.ChannelsLast() : input;
}

void Conv2d::Evaluate(Arrays inputs, int threads, Array& output) const {
  const Array* image = inputs[0];
  Array transposed;
  if (channels_first) {
    transposed = {ImageShape(image->shape),
                  std::vector<double>(image->values.size())};
    Transpose{{0, 2, 3, 1}}.Evaluate({image}, threads, transposed);
    image = &transposed;
  }
  const int64_t height = output.shape[1], width = output.shape[2];
  const int64_t channels = output.shape[3];
  ForRows(output.shape[0] * height, threads, [&](int64_t row) {
    for (int64_t x = 0; x < width; x += kPixels) {
      ConvolvePixels(*this, *image, *inputs[1], row / height, row % height, x,
                     std::min(kPixels, width - x),
                     &output.values[(row * width + x) * channels]);
    }
  });
}

std::string Conv2d::TaskAttributes(Shapes inputs) const {
  return ConvolutionText({inputs[1][0], inputs[1][1]}, stride, dilation,
                         groups) +
         (channels_first ? "_cf" : "");
}

Emitted Conv2d::Emit(AnchorEmitter& emitter) const {
  const Shape input_shape = ImageShape(emitter.InputShape(0));
  const Shape& weights_shape = emitter.InputShape(1);
  const Shape& output_shape = emitter.OutputShape();
  const int64_t kernel_h = weights_shape[0], kernel_w = weights_shape[1];
  const int64_t in_group = weights_shape[2];
  const int64_t out_group = weights_shape[3] / groups;
  const Window2d window =
      MakeWindow(input_shape, output_shape, {kernel_h, kernel_w}, stride,
                 dilation, padding);
  const PaddedInput input(Image(emitter), window);
  const WeightsParameter weights = emitter.Weights(1);

  const OutputLoops loops = ImageLoops(output_shape);
  const Expr c = loops.vars[0], x = loops.vars[1], y = loops.vars[2],
             n = loops.vars[3];
  const Halide::RDom r =
      NamedRDom({{"rc", in_group}, {"rx", kernel_w}, {"ry", kernel_h}});
  Halide::Func conv = NamedFunc("conv");
  conv(loops.vars) = 0.0f;
  conv(loops.vars) +=
      input(InputChannel(groups, in_group, out_group, c, r.x),
            window.x.Position(x, r.y), window.y.Position(y, r.z), n) *
      weights(c, {r.x, r.y, r.z});
  return {.value = conv(loops.vars), .loops = loops};
}

}  // namespace pruner
