#include "models/zoo/tiny.h"

#include <utility>

#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {

absl::StatusOr<OperatorGraph> Tiny(const ModelOptions& options) {
  GraphBuilder graph("tiny");
  LayerBuilder layers(graph, options.seed);
  const TensorId image = graph.Input("image", {options.batch, 16, 16, 3});
  const TensorId stem = layers.ConvNormRelu(
      "stem", image, {.channels = 8, .kernel = 3, .stride = 2});
  const TensorId pooled = graph.MaxPool2d(
      "stem.pool", stem,
      {.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1, 1, 1}});
  const TensorId branch = layers.ConvNorm(
      "block1.conv2",
      layers.ConvNormRelu("block1.conv1", pooled, {.channels = 8, .kernel = 3}),
      {.channels = 8, .kernel = 3});
  const TensorId block1 =
      graph.Relu("block1.relu", graph.Add("block1.sum", branch, pooled));
  const TensorId shortcut =
      layers.ConvNorm("block2.shortcut", block1, {.channels = 16, .stride = 2});
  const TensorId strided = layers.ConvNorm(
      "block2.conv", block1, {.channels = 16, .kernel = 3, .stride = 2});
  const TensorId block2 =
      graph.Relu("block2.relu", graph.Add("block2.sum", strided, shortcut));
  const TensorId features =
      graph.Flatten("features", graph.GlobalAvgPool("pool", block2));
  graph.Output(
      graph.Softmax("probabilities", layers.DenseBias("logits", features, 10)));
  return std::move(graph).Build();
}

}  // namespace pruner
