#include "models/zoo/transformer.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"

namespace pruner {

// The branch comes before the sum's other operand, so that the sum joins its
// last kernel.
TensorId TransformerBuilder::Residual(absl::string_view name, TensorId input,
                                      Branch branch) {
  const std::string norm = absl::StrCat(name, ".norm");
  const std::string sum = absl::StrCat(name, ".sum");
  if (design_.is_norm_first) {
    const TensorId normed = layers_.LayerNorm(norm, input, design_.epsilon);
    return graph_.Add(sum, branch(normed), input);
  }
  return layers_.LayerNorm(norm, graph_.Add(sum, branch(input), input),
                           design_.epsilon);
}

TensorId TransformerBuilder::EncoderBlock(absl::string_view name,
                                          TensorId tokens, TensorId positions) {
  const TensorId attended =
      SelfAttention(absl::StrCat(name, ".attention"), tokens, positions);
  return FeedForward(absl::StrCat(name, ".feed_forward"), attended);
}

TensorId TransformerBuilder::DecoderBlock(absl::string_view name,
                                          TensorId tokens, TensorId positions,
                                          TensorId keys, TensorId values) {
  const TensorId attended =
      SelfAttention(absl::StrCat(name, ".self_attention"), tokens, positions);
  const std::string cross = absl::StrCat(name, ".cross_attention");
  const TensorId informed = Residual(cross, attended, [&](TensorId x) {
    return Attention(cross, Place(cross, x, positions), keys, values);
  });
  return FeedForward(absl::StrCat(name, ".feed_forward"), informed);
}

TensorId TransformerBuilder::SelfAttention(absl::string_view name,
                                           TensorId tokens,
                                           TensorId positions) {
  return Residual(name, tokens, [&](TensorId x) {
    const TensorId placed = Place(name, x, positions);
    return Attention(name, placed, placed, x);
  });
}

TensorId TransformerBuilder::FeedForward(absl::string_view name,
                                         TensorId tokens) {
  return Residual(name, tokens, [&](TensorId x) {
    const TensorId inside = layers_.DenseBias(absl::StrCat(name, ".inside"), x,
                                              design_.feed_forward);
    const TensorId active = graph_.Apply(absl::StrCat(name, ".active"),
                                         design_.activation, {inside});
    return layers_.DenseBias(absl::StrCat(name, ".outside"), active,
                             graph_.ChannelsOf(x));
  });
}

TensorId TransformerBuilder::Place(absl::string_view name, TensorId tokens,
                                   TensorId positions) {
  if (positions == kNoTensor) return tokens;
  return graph_.Add(absl::StrCat(name, ".placed"), tokens, positions);
}

// Section 3.2 of the paper: softmax(Q K^T / sqrt(channels of a head)) V of each
// head, and a projection of all of them.
TensorId TransformerBuilder::Attention(absl::string_view name, TensorId queries,
                                       TensorId keys, TensorId values) {
  const TensorId q = Heads(absl::StrCat(name, ".queries"), queries);
  const TensorId k = Heads(absl::StrCat(name, ".keys"), keys);
  const TensorId v = Heads(absl::StrCat(name, ".values"), values);
  const double factor =
      1 / std::sqrt(static_cast<double>(graph_.ChannelsOf(q)));
  const TensorId scale =
      graph_.Constant(absl::StrCat(name, ".scale"), {},
                      {MakeExplicit({static_cast<float>(factor)})});
  TensorId x = graph_.Apply(absl::StrCat(name, ".products"),
                            MatMul{.transpose_right = true}, {q, k});
  x = graph_.Apply(absl::StrCat(name, ".scores"), Mul{}, {x, scale});
  x = graph_.Softmax(absl::StrCat(name, ".shares"), x);
  x = graph_.Apply(absl::StrCat(name, ".heads"), MatMul{}, {x, v});
  x = graph_.Apply(absl::StrCat(name, ".by_token"), Transpose{{0, 2, 1, 3}},
                   {x});
  x = graph_.Reshape(absl::StrCat(name, ".joined"), x, graph_.ShapeOf(queries));
  return layers_.DenseBias(absl::StrCat(name, ".projection"), x,
                           graph_.ChannelsOf(queries));
}

// A projection, as {N, heads, length, channels of a head}.
TensorId TransformerBuilder::Heads(absl::string_view name, TensorId tokens) {
  const int64_t channels = graph_.ChannelsOf(tokens);
  const TensorId projected = design_.has_qkv_bias
                                 ? layers_.DenseBias(name, tokens, channels)
                                 : layers_.Dense(name, tokens, channels);
  Shape split = graph_.ShapeOf(projected);
  if (projected == kNoTensor) return kNoTensor;
  split.back() = design_.heads;
  split.push_back(channels / design_.heads);
  const TensorId by_token =
      graph_.Reshape(absl::StrCat(name, ".split"), projected, split);
  return graph_.Apply(absl::StrCat(name, ".by_head"), Transpose{{0, 2, 1, 3}},
                      {by_token});
}

TensorId FirstToken(GraphBuilder& graph, absl::string_view name,
                    TensorId tokens) {
  if (tokens == kNoTensor) return kNoTensor;
  const Shape& shape = graph.ShapeOf(tokens);
  const int64_t batch = shape[0], channels = shape[2];
  const TensorId first = graph.Apply(absl::StrCat(name, ".slice"),
                                     Slice{.starts = {0, 0, 0},
                                           .extents = {batch, 1, channels},
                                           .steps = {1, 1, 1}},
                                     {tokens});
  return graph.Reshape(name, first, {batch, channels});
}

}  // namespace pruner
