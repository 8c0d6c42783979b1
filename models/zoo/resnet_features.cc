#include "models/zoo/resnet_features.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

// Of the residual branch against the shortcut.
constexpr double kBranchGain = 0.5;

// Two 3x3 convolutions.
TensorId BasicBranch(LayerBuilder& layers, const std::string& name,
                     TensorId input, int64_t channels, int64_t stride) {
  const TensorId x = layers.ConvNormRelu(
      absl::StrCat(name, ".conv1"), input,
      {.channels = channels, .kernel = 3, .stride = stride});
  return layers.ConvNorm(absl::StrCat(name, ".conv2"), x,
                         {.channels = channels, .kernel = 3}, kBranchGain);
}

// A 3x3 convolution of fewer channels between two 1x1 convolutions.
TensorId BottleneckBranch(LayerBuilder& layers, const std::string& name,
                          TensorId input, int64_t inside, int64_t channels,
                          int64_t stride, int64_t dilation) {
  TensorId x = layers.ConvNormRelu(absl::StrCat(name, ".conv1"), input,
                                   {.channels = inside});
  x = layers.ConvNormRelu(absl::StrCat(name, ".conv2"), x,
                          {.channels = inside,
                           .kernel = 3,
                           .stride = stride,
                           .dilation = dilation});
  return layers.ConvNorm(absl::StrCat(name, ".conv3"), x,
                         {.channels = channels}, kBranchGain);
}

// `width` is 64 in the first stage, and each of the others doubles it.
TensorId Block(GraphBuilder& graph, LayerBuilder& layers,
               const ResnetArchitecture& architecture, const std::string& name,
               TensorId input, int64_t width, int64_t stride,
               int64_t dilation) {
  const int64_t channels = architecture.bottlenecks ? 4 * width : width;
  // The shortcut comes first, so that the sum joins the last convolution of the
  // branch in every block: the first block of a stage then shares that kernel
  // with the others.
  TensorId shortcut = input;
  if (stride != 1 || graph.ChannelsOf(input) != channels) {
    shortcut = layers.ConvNorm(absl::StrCat(name, ".shortcut"), input,
                               {.channels = channels, .stride = stride});
  }
  const TensorId branch =
      architecture.bottlenecks
          ? BottleneckBranch(layers, name, input, width * architecture.widening,
                             channels, stride, dilation)
          : BasicBranch(layers, name, input, channels, stride);
  const TensorId sum = graph.Add(absl::StrCat(name, ".sum"), branch, shortcut);
  return graph.Relu(absl::StrCat(name, ".relu"), sum);
}

}  // namespace

TensorId ResnetFeatures(GraphBuilder& graph, LayerBuilder& layers,
                        const ResnetArchitecture& architecture,
                        TensorId image) {
  TensorId x = layers.ConvNormRelu("stem", image,
                                   {.channels = 64, .kernel = 7, .stride = 2});
  x = graph.MaxPool2d(
      "stem.pool", x,
      {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}});
  int64_t dilation = 1;
  for (int stage = 0; stage < 4; ++stage) {
    const bool is_dilated = architecture.is_dilated[stage];
    for (int block = 0; block < architecture.blocks[stage]; ++block) {
      const bool is_coarser = stage > 0 && block == 0 && !is_dilated;
      x = Block(graph, layers, architecture,
                absl::StrCat("stage", stage + 1, ".block", block + 1), x,
                int64_t{64} << stage, is_coarser ? 2 : 1, dilation);
      if (is_dilated && block == 0) dilation *= 2;
    }
  }
  return x;
}

}  // namespace pruner
