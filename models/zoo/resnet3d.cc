#include "models/zoo/resnet3d.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

constexpr int64_t kFrames = 16;
constexpr int64_t kImageSize = 112;
constexpr int kStages = 4;
constexpr int kBlocks = 2;  // of a stage

// Of the residual branch against the shortcut.
constexpr double kBranchGain = 0.5;

// Two 3x3x3 convolutions beside a shortcut.
TensorId Block(GraphBuilder& graph, LayerBuilder& layers,
               const std::string& name, TensorId input, int64_t channels,
               int64_t stride) {
  TensorId shortcut = input;
  if (stride != 1) {
    shortcut = layers.Conv3dNorm(
        absl::StrCat(name, ".shortcut"), input,
        {.channels = channels, .stride = {stride, stride, stride}});
  }
  TensorId x = layers.Conv3dNormRelu(absl::StrCat(name, ".conv1"), input,
                                     {.channels = channels,
                                      .kernel = {3, 3, 3},
                                      .stride = {stride, stride, stride}});
  x = layers.Conv3dNorm(absl::StrCat(name, ".conv2"), x,
                        {.channels = channels, .kernel = {3, 3, 3}},
                        kBranchGain);
  return graph.Relu(absl::StrCat(name, ".relu"),
                    graph.Add(absl::StrCat(name, ".sum"), x, shortcut));
}

}  // namespace

absl::StatusOr<OperatorGraph> Resnet3d18(const ModelOptions& options) {
  return Resnet3d18(options, kFrames, kImageSize);
}

absl::StatusOr<OperatorGraph> Resnet3d18(const ModelOptions& options,
                                         int64_t frames, int64_t image_size) {
  GraphBuilder graph("resnet3d_18");
  LayerBuilder layers(graph, options.seed);
  TensorId x =
      graph.Input("video", {options.batch, frames, image_size, image_size, 3});
  x = layers.Conv3dNormRelu(
      "stem", x, {.channels = 64, .kernel = {3, 7, 7}, .stride = {1, 2, 2}});
  for (int stage = 0; stage < kStages; ++stage) {
    for (int block = 0; block < kBlocks; ++block) {
      x = Block(graph, layers,
                absl::StrCat("stage", stage + 1, ".block", block + 1), x,
                int64_t{64} << stage, stage > 0 && block == 0 ? 2 : 1);
    }
  }
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 400));
  return std::move(graph).Build();
}

}  // namespace pruner
