#include "models/zoo/detr.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/zoo/layers.h"
#include "models/zoo/resnet_features.h"
#include "models/zoo/transformer.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 256;
constexpr int64_t kChannels = 256;
constexpr int kLayers = 6;  // of the encoder, and of the decoder
constexpr int64_t kQueries = 100;
constexpr int64_t kClasses = 92;  // with that of no object

// The features of ResNet-50 with random weights are large.
constexpr double kProjectionGain = 0.05;

// Sines and cosines, by turns, of `part` of a circle: each pair of channels has
// a period of its own, from 1 to almost 10000.
void AppendWaves(double part, std::vector<float>& values) {
  constexpr int64_t kWaves = kChannels / 2;
  for (int64_t i = 0; i < kWaves; ++i) {
    const double exponent = static_cast<double>(i - i % 2) / kWaves;
    const double angle =
        2 * std::numbers::pi * part / std::pow(10000, exponent);
    values.push_back(
        static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle)));
  }
}

// The positions of the supplement, section A.4: of rows, then of columns, {rows
// * columns, channels}.
TensorId SinePositions(GraphBuilder& graph, int64_t rows, int64_t columns) {
  std::vector<float> values;
  for (int64_t y = 1; y <= rows; ++y) {
    for (int64_t x = 1; x <= columns; ++x) {
      AppendWaves(static_cast<double>(y) / static_cast<double>(rows), values);
      AppendWaves(static_cast<double>(x) / static_cast<double>(columns),
                  values);
    }
  }
  return graph.Constant("positions", {rows * columns, kChannels},
                        {MakeExplicit(std::move(values))});
}

// An encoder's result, and what keys are made from.
struct Memory {
  TensorId keys;
  TensorId values;
};

// Of features {N, rows, columns, channels}.
Memory Encode(GraphBuilder& graph, LayerBuilder& layers,
              TransformerBuilder& blocks, TensorId features) {
  const TensorId projected = layers.ConvBias(
      "projection", features, {.channels = kChannels, .gain = kProjectionGain});
  if (projected == kNoTensor) return {kNoTensor, kNoTensor};
  const Shape shape = graph.ShapeOf(projected);
  const TensorId positions = SinePositions(graph, shape[1], shape[2]);
  TensorId x = graph.Reshape("tokens", projected,
                             {shape[0], shape[1] * shape[2], kChannels});
  for (int layer = 1; layer <= kLayers; ++layer) {
    x = blocks.EncoderBlock(absl::StrCat("encoder", layer), x, positions);
  }
  return {.keys = graph.Add("memory.placed", x, positions), .values = x};
}

// What becomes of the queries, which start as nothing but their positions.
TensorId Decode(GraphBuilder& graph, LayerBuilder& layers,
                TransformerBuilder& blocks, const Memory& memory,
                int64_t batch) {
  const TensorId queries = layers.Embedding("queries", {kQueries, kChannels});
  TensorId x = graph.Constant(
      "objects", {1, kQueries, kChannels},
      {MakeExplicit(std::vector<float>(kQueries * kChannels, 0.0F))});
  if (batch > 1) x = graph.Apply("objects.batch", Expand{{batch, 1, 1}}, {x});
  for (int layer = 1; layer <= kLayers; ++layer) {
    x = blocks.DecoderBlock(absl::StrCat("decoder", layer), x, queries,
                            memory.keys, memory.values);
  }
  return layers.LayerNorm("decoder.norm", x);
}

TensorId Boxes(GraphBuilder& graph, LayerBuilder& layers, TensorId objects) {
  TensorId x = objects;
  for (int layer = 1; layer <= 2; ++layer) {
    const auto name = absl::StrCat("boxes.layer", layer);
    x = graph.Relu(absl::StrCat(name, ".relu"),
                   layers.DenseBias(name, x, kChannels));
  }
  return graph.Apply("boxes", Sigmoid{},
                     {layers.DenseBias("boxes.layer3", x, 4)});
}

}  // namespace

absl::StatusOr<OperatorGraph> DetrResnet50(const ModelOptions& options,
                                           int64_t image_size) {
  GraphBuilder graph("detr_resnet50");
  LayerBuilder layers(graph, options.seed);
  TransformerBuilder blocks(
      graph, layers, {.heads = 8, .feed_forward = 2048, .activation = Relu{}});
  const TensorId image =
      graph.Input("image", {options.batch, image_size, image_size, 3});
  const Memory memory =
      Encode(graph, layers, blocks,
             ResnetFeatures(graph, layers, kResnet50Architecture, image));
  const TensorId objects = Decode(graph, layers, blocks, memory, options.batch);
  graph.Output(layers.DenseBias("logits", objects, kClasses));
  graph.Output(Boxes(graph, layers, objects));
  return std::move(graph).Build();
}

absl::StatusOr<OperatorGraph> DetrResnet50(const ModelOptions& options) {
  return DetrResnet50(options, kImageSize);
}

}  // namespace pruner
