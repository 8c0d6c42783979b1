#include "models/zoo/resnet.h"

#include <array>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 224;

// Of the residual branch against the shortcut.
constexpr double kBranchGain = 0.5;

struct Architecture {
  absl::string_view name;
  std::array<int, 4> blocks;  // of each stage
  bool bottlenecks = true;
  int64_t widening = 1;  // of the convolutions inside of bottlenecks
};

constexpr Architecture kResnet18 = {
    .name = "resnet18", .blocks = {2, 2, 2, 2}, .bottlenecks = false};
constexpr Architecture kResnet50 = {.name = "resnet50", .blocks = {3, 4, 6, 3}};
constexpr Architecture kWideResnet50x2 = {
    .name = "wide_resnet50_2", .blocks = {3, 4, 6, 3}, .widening = 2};

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
                          int64_t stride) {
  TensorId x = layers.ConvNormRelu(absl::StrCat(name, ".conv1"), input,
                                   {.channels = inside});
  x = layers.ConvNormRelu(absl::StrCat(name, ".conv2"), x,
                          {.channels = inside, .kernel = 3, .stride = stride});
  return layers.ConvNorm(absl::StrCat(name, ".conv3"), x,
                         {.channels = channels}, kBranchGain);
}

// `width` is 64 in the first stage, and each of the others doubles it.
TensorId Block(GraphBuilder& graph, LayerBuilder& layers,
               const Architecture& architecture, const std::string& name,
               TensorId input, int64_t width, int64_t stride) {
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
                             channels, stride)
          : BasicBranch(layers, name, input, channels, stride);
  const TensorId sum = graph.Add(absl::StrCat(name, ".sum"), branch, shortcut);
  return graph.Relu(absl::StrCat(name, ".relu"), sum);
}

absl::StatusOr<OperatorGraph> Resnet(const Architecture& architecture,
                                     const ModelOptions& options,
                                     int64_t image_size) {
  GraphBuilder graph(architecture.name);
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  x = layers.ConvNormRelu("stem", x,
                          {.channels = 64, .kernel = 7, .stride = 2});
  x = graph.MaxPool2d(
      "stem.pool", x,
      {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}});
  for (int stage = 0; stage < 4; ++stage) {
    for (int block = 0; block < architecture.blocks[stage]; ++block) {
      const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      x = Block(graph, layers, architecture,
                absl::StrCat("stage", stage + 1, ".block", block + 1), x,
                int64_t{64} << stage, stride);
    }
  }
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 1000));
  return std::move(graph).Build();
}

}  // namespace

absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options,
                                       int64_t image_size) {
  return Resnet(kResnet18, options, image_size);
}

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options,
                                       int64_t image_size) {
  return Resnet(kResnet50, options, image_size);
}

absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options,
                                             int64_t image_size) {
  return Resnet(kWideResnet50x2, options, image_size);
}

absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options) {
  return Resnet18(options, kImageSize);
}

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options) {
  return Resnet50(options, kImageSize);
}

absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options) {
  return WideResnet50x2(options, kImageSize);
}

}  // namespace pruner
