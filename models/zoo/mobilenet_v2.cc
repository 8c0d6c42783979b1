#include "models/zoo/mobilenet_v2.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

// Of the residual branch against the shortcut.
constexpr double kBranchGain = 0.5;

// Table 2 of the paper: blocks that follow each other.
struct Stage {
  int64_t expansion;
  int64_t channels;
  int blocks;
  int64_t stride;  // of the first block
};

constexpr Stage kStages[] = {
    {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2},  {6, 64, 4, 2},
    {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
};

// An inverted residual: wide inside, where each channel is convolved by itself,
// narrow and without an activation at its ends.
TensorId InvertedResidual(GraphBuilder& graph, LayerBuilder& layers,
                          const std::string& name, TensorId input,
                          const Stage& stage, int64_t stride) {
  const bool is_residual =
      stride == 1 && graph.ChannelsOf(input) == stage.channels;
  const int64_t wide = stage.expansion * graph.ChannelsOf(input);
  TensorId x = input;
  if (stage.expansion != 1) {
    x = layers.ConvNormRelu6(absl::StrCat(name, ".expand"), x,
                             {.channels = wide});
  }
  x = layers.ConvNormRelu6(
      absl::StrCat(name, ".depthwise"), x,
      {.channels = wide, .kernel = 3, .stride = stride, .groups = wide});
  x = layers.ConvNorm(absl::StrCat(name, ".project"), x,
                      {.channels = stage.channels},
                      is_residual ? kBranchGain : 1);
  if (!is_residual) return x;
  return graph.Add(absl::StrCat(name, ".sum"), x, input);
}

}  // namespace

absl::StatusOr<OperatorGraph> MobilenetV2(const ModelOptions& options) {
  return MobilenetV2(options, 224);
}

absl::StatusOr<OperatorGraph> MobilenetV2(const ModelOptions& options,
                                          int64_t image_size) {
  GraphBuilder graph("mobilenet_v2");
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  x = layers.ConvNormRelu6("stem", x,
                           {.channels = 32, .kernel = 3, .stride = 2});
  int number = 0;
  for (const Stage& stage : kStages) {
    for (int block = 0; block < stage.blocks; ++block) {
      x = InvertedResidual(graph, layers, absl::StrCat("block", ++number), x,
                           stage, block == 0 ? stage.stride : 1);
    }
  }
  x = layers.ConvNormRelu6("head", x, {.channels = 1280});
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 1000));
  return std::move(graph).Build();
}

}  // namespace pruner
