#include "models/zoo/layers.h"

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

TensorId LayerBuilder::Conv(absl::string_view name, TensorId input,
                            const Convolution& conv) {
  const int64_t in = graph_.ChannelsOf(input) / conv.groups;
  const int64_t kernel = conv.kernel, pad = kernel / 2 * conv.dilation;
  const double bound =
      BoundForVariance(2.0 / static_cast<double>(in * kernel * kernel));
  const TensorId weights =
      Uniform(absl::StrCat(name, ".weights"),
              {kernel, kernel, in, conv.channels}, -bound, bound);
  return graph_.Conv2d(name, input, weights,
                       {.stride = {conv.stride, conv.stride},
                        .padding = {pad, pad, pad, pad},
                        .dilation = {conv.dilation, conv.dilation},
                        .groups = conv.groups});
}

TensorId LayerBuilder::ConvNorm(absl::string_view name, TensorId input,
                                const Convolution& conv, double gain) {
  const TensorId sum = Conv(name, input, conv);
  const Shape shape = {conv.channels};
  const std::string norm = absl::StrCat(name, ".norm");
  const TensorId scale =
      Uniform(absl::StrCat(norm, ".scale"), shape, 0.8 * gain, 1.2 * gain);
  const TensorId shift =
      Uniform(absl::StrCat(norm, ".shift"), shape, -0.2, 0.2);
  const TensorId mean = Uniform(absl::StrCat(norm, ".mean"), shape, -0.2, 0.2);
  const TensorId variance =
      Uniform(absl::StrCat(norm, ".variance"), shape, 0.7, 1.4);
  return graph_.BatchNorm(norm, sum, scale, shift, mean, variance);
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

TensorId LayerBuilder::DenseBias(absl::string_view name, TensorId input,
                                 int64_t channels) {
  const int64_t in = graph_.ChannelsOf(input);
  const double bound = BoundForVariance(1.0 / static_cast<double>(in));
  const TensorId weights =
      Uniform(absl::StrCat(name, ".weights"), {in, channels}, -bound, bound);
  const TensorId bias =
      Uniform(absl::StrCat(name, ".bias"), {channels}, -0.1, 0.1);
  return graph_.BiasAdd(
      name, graph_.Dense(absl::StrCat(name, ".product"), input, weights), bias);
}

}  // namespace pruner
