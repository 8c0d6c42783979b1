#include "models/zoo/layers.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "pruner/base/hash.h"

namespace pruner {
namespace {

// Uniform in [-bound, bound] has variance bound^2 / 3.
double BoundForVariance(double variance) { return std::sqrt(3 * variance); }

}  // namespace

TensorId LayerBuilder::Uniform(const std::string& name, const Shape& shape,
                               double low, double high) {
  const uint64_t seed = Fingerprint(absl::StrCat(seed_, " ", name));
  return graph_.Constant(
      name, shape, {RandomValues{.seed = seed, .low = low, .high = high}});
}

TensorId LayerBuilder::Weights(absl::string_view layer, const Shape& shape,
                               int64_t fan_in, double gain) {
  const double bound =
      gain * BoundForVariance(2.0 / static_cast<double>(fan_in));
  return Uniform(absl::StrCat(layer, ".weights"), shape, -bound, bound);
}

TensorId LayerBuilder::Conv(absl::string_view name, TensorId input,
                            const Convolution& conv) {
  const int64_t in = graph_.ChannelsOf(input) / conv.groups;
  const int64_t height = conv.kernel;
  const int64_t width = conv.kernel_width.value_or(height);
  const TensorId weights = Weights(name, {height, width, in, conv.channels},
                                   in * height * width, conv.gain);
  pruner::Conv2d attributes{.stride = {conv.stride, conv.stride},
                            .dilation = {conv.dilation, conv.dilation},
                            .groups = conv.groups};
  if (conv.is_padded) {
    const int64_t y = height / 2 * conv.dilation;
    const int64_t x = width / 2 * conv.dilation;
    attributes.padding = {.top = y, .left = x, .bottom = y, .right = x};
  }
  return graph_.Conv2d(name, input, weights, attributes);
}

TensorId LayerBuilder::Conv3d(absl::string_view name, TensorId input,
                              const Convolution3d& conv) {
  const int64_t in = graph_.ChannelsOf(input);
  const auto [depth, height, width] = conv.kernel;
  const TensorId weights =
      Weights(name, {depth, height, width, in, conv.channels},
              in * depth * height * width);
  return graph_.Apply(
      name,
      pruner::Conv3d{.stride = {conv.stride.begin(), conv.stride.end()},
                     .padding = {depth / 2, height / 2, width / 2, depth / 2,
                                 height / 2, width / 2}},
      {input, weights});
}

TensorId LayerBuilder::ConvTranspose(absl::string_view name, TensorId input,
                                     const TransposedConvolution& conv) {
  const int64_t in = graph_.ChannelsOf(input);
  const int64_t kernel = conv.kernel, stride = conv.stride, pad = conv.padding;
  const Shape& shape = graph_.ShapeOf(input);
  if (shape.empty()) return kNoTensor;  // after an error
  // An element of the output meets every stride-th tap, where there is input.
  const int64_t taps = (kernel + stride - 1) / stride;
  const int64_t fan_in =
      in * std::min(taps, shape[1]) * std::min(taps, shape[2]);
  const TensorId weights =
      Weights(name, {kernel, kernel, in, conv.channels}, fan_in);
  return graph_.Apply(name,
                      ConvTranspose2d{.stride = {stride, stride},
                                      .padding = {pad, pad, pad, pad}},
                      {input, weights});
}

TensorId LayerBuilder::Norm(absl::string_view name, TensorId input,
                            double gain) {
  const Shape shape = {graph_.ChannelsOf(input)};
  const TensorId scale =
      Uniform(absl::StrCat(name, ".scale"), shape, 0.8 * gain, 1.2 * gain);
  const TensorId shift =
      Uniform(absl::StrCat(name, ".shift"), shape, -0.2, 0.2);
  const TensorId mean = Uniform(absl::StrCat(name, ".mean"), shape, -0.2, 0.2);
  const TensorId variance =
      Uniform(absl::StrCat(name, ".variance"), shape, 0.7, 1.4);
  return graph_.BatchNorm(name, input, scale, shift, mean, variance);
}

TensorId LayerBuilder::NormRelu(absl::string_view name, TensorId input) {
  return graph_.Relu(absl::StrCat(name, ".relu"), Norm(name, input));
}

TensorId LayerBuilder::ConvNorm(absl::string_view name, TensorId input,
                                const Convolution& conv, double gain) {
  return Norm(absl::StrCat(name, ".norm"), Conv(name, input, conv), gain);
}

TensorId LayerBuilder::ConvNormRelu(absl::string_view name, TensorId input,
                                    const Convolution& conv) {
  return graph_.Relu(absl::StrCat(name, ".relu"), ConvNorm(name, input, conv));
}

TensorId LayerBuilder::ConvNormRelu6(absl::string_view name, TensorId input,
                                     const Convolution& conv) {
  return graph_.Relu6(absl::StrCat(name, ".relu6"),
                      ConvNorm(name, input, conv));
}

TensorId LayerBuilder::Conv3dNorm(absl::string_view name, TensorId input,
                                  const Convolution3d& conv, double gain) {
  return Norm(absl::StrCat(name, ".norm"), Conv3d(name, input, conv), gain);
}

TensorId LayerBuilder::Conv3dNormRelu(absl::string_view name, TensorId input,
                                      const Convolution3d& conv) {
  return graph_.Relu(absl::StrCat(name, ".relu"),
                     Conv3dNorm(name, input, conv));
}

TensorId LayerBuilder::ConvBias(absl::string_view name, TensorId input,
                                const Convolution& conv) {
  const TensorId sum = Conv(absl::StrCat(name, ".product"), input, conv);
  const TensorId bias =
      Uniform(absl::StrCat(name, ".bias"), {conv.channels}, -0.1, 0.1);
  return graph_.BiasAdd(name, sum, bias);
}

TensorId LayerBuilder::ConvBiasRelu(absl::string_view name, TensorId input,
                                    const Convolution& conv) {
  return graph_.Relu(absl::StrCat(name, ".relu"), ConvBias(name, input, conv));
}

TensorId LayerBuilder::DenseWeights(absl::string_view layer, TensorId input,
                                    int64_t channels) {
  const int64_t in = graph_.ChannelsOf(input);
  const double bound = BoundForVariance(1.0 / static_cast<double>(in));
  return Uniform(absl::StrCat(layer, ".weights"), {in, channels}, -bound,
                 bound);
}

TensorId LayerBuilder::Dense(absl::string_view name, TensorId input,
                             int64_t channels) {
  return graph_.Dense(name, input, DenseWeights(name, input, channels));
}

TensorId LayerBuilder::DenseBias(absl::string_view name, TensorId input,
                                 int64_t channels) {
  const TensorId weights = DenseWeights(name, input, channels);
  const TensorId bias =
      Uniform(absl::StrCat(name, ".bias"), {channels}, -0.1, 0.1);
  return graph_.BiasAdd(
      name, graph_.Dense(absl::StrCat(name, ".product"), input, weights), bias);
}

TensorId LayerBuilder::ConcatChannels(absl::string_view name,
                                      const std::vector<TensorId>& inputs) {
  const auto dimensions =
      static_cast<int64_t>(graph_.ShapeOf(inputs.front()).size());
  return graph_.Apply(name, Concat{.axis = dimensions - 1}, inputs);
}

TensorId LayerBuilder::LayerNorm(absl::string_view name, TensorId input,
                                 double epsilon) {
  const Shape channels = {graph_.ChannelsOf(input)};
  const TensorId scale =
      Uniform(absl::StrCat(name, ".scale"), channels, 0.8, 1.2);
  const TensorId bias =
      Uniform(absl::StrCat(name, ".bias"), channels, -0.2, 0.2);
  const auto rank = static_cast<int64_t>(graph_.ShapeOf(input).size());
  return graph_.Apply(name,
                      pruner::LayerNorm{.axis = rank - 1, .epsilon = epsilon},
                      {input, scale, bias});
}

TensorId LayerBuilder::Embedding(absl::string_view name, const Shape& shape) {
  return Uniform(std::string(name), shape, -0.5, 0.5);
}

}  // namespace pruner
