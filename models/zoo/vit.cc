#include "models/zoo/vit.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/zoo/layers.h"
#include "models/zoo/transformer.h"

namespace pruner {
namespace {

constexpr int64_t kClasses = 1000;

// Patches side by side as {batch, patches, channels}: a convolution whose
// windows do not overlap.
TensorId ConvolvedPatches(GraphBuilder& graph, LayerBuilder& layers,
                          TensorId image, int64_t patch, int64_t channels) {
  const TensorId x = layers.ConvBias("patches.conv", image,
                                     {.channels = channels,
                                      .kernel = patch,
                                      .stride = patch,
                                      .is_padded = false});
  if (x == kNoTensor) return kNoTensor;
  const Shape& shape = graph.ShapeOf(x);
  return graph.Reshape("patches", x, {shape[0], shape[1] * shape[2], channels});
}

// The same as a product of a matrix, with norms before and behind it.
TensorId NormedPatches(GraphBuilder& graph, LayerBuilder& layers,
                       TensorId image, int64_t patch, int64_t channels) {
  if (image == kNoTensor) return kNoTensor;
  const Shape shape = graph.ShapeOf(image);
  const int64_t rows = shape[1] / patch, columns = shape[2] / patch;
  TensorId x = graph.Reshape("patches.split", image,
                             {shape[0], rows, patch, columns, patch, shape[3]});
  x = graph.Apply("patches.order", Transpose{{0, 1, 3, 2, 4, 5}}, {x});
  x = graph.Reshape("patches.flat", x,
                    {shape[0], rows * columns, patch * patch * shape[3]});
  x = layers.LayerNorm("patches.norm", x);
  x = layers.DenseBias("patches.projection", x, channels);
  return layers.LayerNorm("patches", x);
}

// With the class token before the patches, and the positions of all of them.
TensorId Embed(GraphBuilder& graph, LayerBuilder& layers, TensorId patches) {
  if (patches == kNoTensor) return kNoTensor;
  const Shape shape = graph.ShapeOf(patches);
  const int64_t batch = shape[0], length = shape[1] + 1, channels = shape[2];
  TensorId token = layers.Embedding("class_token", {1, 1, channels});
  if (batch > 1)
    token = graph.Apply("class_tokens", Expand{{batch, 1, 1}}, {token});
  const TensorId tokens =
      graph.Apply("tokens", Concat{.axis = 1}, {token, patches});
  const TensorId positions = layers.Embedding("positions", {length, channels});
  return graph.Add("embeddings", tokens, positions);
}

// Blocks, their norm and the classifier, of tokens with their positions.
absl::StatusOr<OperatorGraph> Classify(GraphBuilder& graph,
                                       LayerBuilder& layers, TensorId tokens,
                                       int depth,
                                       const TransformerDesign& design) {
  TransformerBuilder blocks(graph, layers, design);
  TensorId x = tokens;
  for (int layer = 1; layer <= depth; ++layer) {
    x = blocks.EncoderBlock(absl::StrCat("layer", layer), x);
  }
  x = layers.LayerNorm("norm", x, design.epsilon);
  x = FirstToken(graph, "features", x);
  graph.Output(layers.DenseBias("logits", x, kClasses));
  return std::move(graph).Build();
}

}  // namespace

absl::StatusOr<OperatorGraph> VitB16(const ModelOptions& options,
                                     int64_t image_size) {
  GraphBuilder graph("vit_b_16");
  LayerBuilder layers(graph, options.seed);
  const TensorId image =
      graph.Input("image", {options.batch, image_size, image_size, 3});
  const TensorId patches = ConvolvedPatches(graph, layers, image, 16, 768);
  return Classify(graph, layers, Embed(graph, layers, patches), 12,
                  {.heads = 12,
                   .feed_forward = 3072,
                   .is_norm_first = true,
                   .epsilon = 1e-6});
}

absl::StatusOr<OperatorGraph> Vit(const ModelOptions& options,
                                  int64_t image_size) {
  GraphBuilder graph("vit");
  LayerBuilder layers(graph, options.seed);
  const TensorId image =
      graph.Input("image", {options.batch, image_size, image_size, 3});
  const TensorId patches = NormedPatches(graph, layers, image, 32, 1024);
  return Classify(graph, layers, Embed(graph, layers, patches), 6,
                  {.heads = 16,
                   .feed_forward = 2048,
                   .is_norm_first = true,
                   .has_qkv_bias = false});
}

absl::StatusOr<OperatorGraph> VitB16(const ModelOptions& options) {
  return VitB16(options, 224);
}

absl::StatusOr<OperatorGraph> Vit(const ModelOptions& options) {
  return Vit(options, 256);
}

}  // namespace pruner
