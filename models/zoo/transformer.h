// Blocks that transformers (Vaswani et al., Attention is all you need, 2017)
// have in common, with random weights.
#ifndef MODELS_ZOO_TRANSFORMER_H_
#define MODELS_ZOO_TRANSFORMER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/zoo/layers.h"

namespace pruner {

// What all blocks of a network have in common.
struct TransformerDesign {
  int64_t heads = 1;
  int64_t feed_forward = 1;      // channels between its two layers
  Operator activation = Gelu{};  // between its two layers
  // Norms are before attention and feed-forward network, on the residual
  // branch, not behind the sum.
  bool is_norm_first = false;
  double epsilon = 1e-5;     // of the norms
  bool has_qkv_bias = true;  // queries, keys and values have biases
};

// Appends blocks to a builder. Tokens are {N, length, channels}; each block
// gives as many channels as it takes, which the heads divide among them.
class TransformerBuilder {
 public:
  TransformerBuilder(GraphBuilder& graph, LayerBuilder& layers,
                     const TransformerDesign& design)
      : graph_(graph), layers_(layers), design_(design) {}

  // Attention of the tokens to each other, then the feed-forward network. Where
  // `positions` {length, channels} are given, they are added to what queries
  // and keys are made from.
  TensorId EncoderBlock(absl::string_view name, TensorId tokens,
                        TensorId positions = kNoTensor);
  // With attention to an encoder's result in the middle, whose keys and values
  // are made from `keys` and `values`, both {N, its length, channels}.
  TensorId DecoderBlock(absl::string_view name, TensorId tokens,
                        TensorId positions, TensorId keys, TensorId values);

 private:
  using Branch = absl::FunctionRef<TensorId(TensorId)>;

  TensorId Residual(absl::string_view name, TensorId input, Branch branch);
  TensorId SelfAttention(absl::string_view name, TensorId tokens,
                         TensorId positions);
  TensorId FeedForward(absl::string_view name, TensorId tokens);
  TensorId Place(absl::string_view name, TensorId tokens, TensorId positions);
  TensorId Attention(absl::string_view name, TensorId queries, TensorId keys,
                     TensorId values);
  TensorId Heads(absl::string_view name, TensorId tokens);

  GraphBuilder& graph_;
  LayerBuilder& layers_;
  TransformerDesign design_;
};

// The first one of tokens {N, length, channels}: {N, channels}.
TensorId FirstToken(GraphBuilder& graph, absl::string_view name,
                    TensorId tokens);

}  // namespace pruner

#endif  // MODELS_ZOO_TRANSFORMER_H_
