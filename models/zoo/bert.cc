#include "models/zoo/bert.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/zoo/layers.h"
#include "models/zoo/transformer.h"

namespace pruner {
namespace {

constexpr int64_t kLength = 128;
constexpr int64_t kVocabulary = 30522;
constexpr double kEpsilon = 1e-12;

struct Architecture {
  absl::string_view name;
  int layers;
  int64_t channels;
  int64_t heads;
};

constexpr Architecture kBase = {
    .name = "bert_base", .layers = 12, .channels = 768, .heads = 12};
constexpr Architecture kTiny = {
    .name = "bert_tiny", .layers = 6, .channels = 512, .heads = 8};
constexpr Architecture kTiny2Layers = {
    .name = "bert_tiny_2l", .layers = 2, .channels = 128, .heads = 2};

TensorId Embed(GraphBuilder& graph, LayerBuilder& layers, TensorId ids,
               int64_t length, int64_t channels) {
  const TensorId words =
      layers.Embedding("embeddings.words", {kVocabulary, channels});
  const TensorId segment = layers.Embedding("embeddings.segment", {channels});
  const TensorId positions =
      layers.Embedding("embeddings.positions", {length, channels});
  TensorId x = graph.Apply("embeddings.word", Gather{.axis = 0}, {words, ids});
  x = graph.BiasAdd("embeddings.in_segment", x, segment);
  x = graph.Add("embeddings.placed", x, positions);
  return layers.LayerNorm("embeddings", x, kEpsilon);
}

absl::StatusOr<OperatorGraph> Bert(const Architecture& architecture,
                                   const ModelOptions& options,
                                   int64_t length) {
  GraphBuilder graph(architecture.name);
  LayerBuilder layers(graph, options.seed);
  TransformerBuilder blocks(graph, layers,
                            {.heads = architecture.heads,
                             .feed_forward = 4 * architecture.channels,
                             .epsilon = kEpsilon});
  const TensorId ids =
      graph.Input("input_ids", {options.batch, length}, DataType::kInt64);
  TensorId x = Embed(graph, layers, ids, length, architecture.channels);
  for (int layer = 1; layer <= architecture.layers; ++layer) {
    x = blocks.EncoderBlock(absl::StrCat("layer", layer), x);
  }
  graph.Output(graph.Identity("last_hidden_state", x));
  x = layers.DenseBias("pooler", FirstToken(graph, "first_token", x),
                       architecture.channels);
  graph.Output(graph.Apply("pooled", Tanh{}, {x}));
  return std::move(graph).Build();
}

}  // namespace

absl::StatusOr<OperatorGraph> BertBase(const ModelOptions& options,
                                       int64_t length) {
  return Bert(kBase, options, length);
}

absl::StatusOr<OperatorGraph> BertTiny(const ModelOptions& options,
                                       int64_t length) {
  return Bert(kTiny, options, length);
}

absl::StatusOr<OperatorGraph> BertTiny2Layers(const ModelOptions& options,
                                              int64_t length) {
  return Bert(kTiny2Layers, options, length);
}

absl::StatusOr<OperatorGraph> BertBase(const ModelOptions& options) {
  return BertBase(options, kLength);
}

absl::StatusOr<OperatorGraph> BertTiny(const ModelOptions& options) {
  return BertTiny(options, kLength);
}

absl::StatusOr<OperatorGraph> BertTiny2Layers(const ModelOptions& options) {
  return BertTiny2Layers(options, kLength);
}

}  // namespace pruner
