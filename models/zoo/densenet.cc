#include "models/zoo/densenet.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 224;
constexpr int64_t kGrowthRate = 32;  // channels that a layer adds
constexpr int kBlockLayers[] = {6, 12, 24, 16};

// The input's channels and behind them new ones, by a bottleneck of 1x1 and a
// 3x3 convolution.
TensorId DenseLayer(LayerBuilder& layers, const std::string& name,
                    TensorId input) {
  TensorId x = layers.NormRelu(absl::StrCat(name, ".norm"), input);
  x = layers.ConvNormRelu(absl::StrCat(name, ".conv1"), x,
                          {.channels = 4 * kGrowthRate});
  x = layers.Conv(absl::StrCat(name, ".conv2"), x,
                  {.channels = kGrowthRate, .kernel = 3});
  return layers.ConcatChannels(absl::StrCat(name, ".concat"), {input, x});
}

// Half the channels and half the resolution.
TensorId Transition(GraphBuilder& graph, LayerBuilder& layers,
                    const std::string& name, TensorId input) {
  TensorId x = layers.NormRelu(absl::StrCat(name, ".norm"), input);
  x = layers.Conv(absl::StrCat(name, ".conv"), x,
                  {.channels = graph.ChannelsOf(input) / 2});
  return graph.AvgPool2d(absl::StrCat(name, ".pool"), x,
                         {.kernel = {2, 2}, .stride = {2, 2}});
}

}  // namespace

absl::StatusOr<OperatorGraph> Densenet121(const ModelOptions& options) {
  return Densenet121(options, kImageSize);
}

absl::StatusOr<OperatorGraph> Densenet121(const ModelOptions& options,
                                          int64_t image_size) {
  GraphBuilder graph("densenet121");
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  x = layers.ConvNormRelu("stem", x,
                          {.channels = 64, .kernel = 7, .stride = 2});
  x = graph.MaxPool2d(
      "stem.pool", x,
      {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}});
  int block = 0;
  for (const int block_layers : kBlockLayers) {
    if (block > 0) {
      x = Transition(graph, layers, absl::StrCat("transition", block), x);
    }
    ++block;
    for (int layer = 1; layer <= block_layers; ++layer) {
      x = DenseLayer(layers, absl::StrCat("block", block, ".layer", layer), x);
    }
  }
  x = layers.NormRelu("norm", x);
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 1000));
  return std::move(graph).Build();
}

}  // namespace pruner
