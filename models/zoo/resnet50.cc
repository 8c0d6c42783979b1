#include "models/zoo/resnet50.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

// Of the residual branch against the shortcut.
constexpr double kBranchGain = 0.5;

TensorId Bottleneck(GraphBuilder& graph, LayerBuilder& layers,
                    const std::string& name, TensorId input, int64_t width,
                    int64_t stride) {
  const int64_t channels = 4 * width;
  // The shortcut comes first, so that the sum joins the last convolution of the
  // branch in every block: the first block of a stage then shares that kernel
  // with the others.
  TensorId shortcut = input;
  if (stride != 1 || graph.ChannelsOf(input) != channels) {
    shortcut = layers.ConvNorm(absl::StrCat(name, ".shortcut"), input, channels,
                               1, stride);
  }
  TensorId x =
      layers.ConvNormRelu(absl::StrCat(name, ".conv1"), input, width, 1, 1);
  x = layers.ConvNormRelu(absl::StrCat(name, ".conv2"), x, width, 3, stride);
  x = layers.ConvNorm(absl::StrCat(name, ".conv3"), x, channels, 1, 1,
                      kBranchGain);
  x = graph.Add(absl::StrCat(name, ".sum"), x, shortcut);
  return graph.Relu(absl::StrCat(name, ".relu"), x);
}

}  // namespace

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options) {
  return Resnet50(options, 224);
}

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options,
                                       int64_t image_size) {
  GraphBuilder graph("resnet50");
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  x = layers.ConvNormRelu("stem", x, 64, 7, 2);
  x = graph.MaxPool2d(
      "stem.pool", x,
      {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}});
  constexpr int kBlocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    for (int block = 0; block < kBlocks[stage]; ++block) {
      const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      x = Bottleneck(graph, layers,
                     absl::StrCat("stage", stage + 1, ".block", block + 1), x,
                     int64_t{64} << stage, stride);
    }
  }
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 1000));
  return std::move(graph).Build();
}

}  // namespace pruner
