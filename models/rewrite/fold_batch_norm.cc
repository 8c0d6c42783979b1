#include "models/rewrite/fold_batch_norm.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

// Indices into the graph's nodes.
struct Match {
  int product = -1;  // see HasWeightsByChannel
  int bias = -1;     // BiasAdd, or none
  int norm = -1;
};

// Whether the last dimension of the weights is that of the output's channels.
bool HasWeightsByChannel(const Operator& op) {
  return std::holds_alternative<Conv2d>(op) ||
         std::holds_alternative<Conv3d>(op) ||
         std::holds_alternative<ConvTranspose2d>(op) ||
         std::holds_alternative<Dense>(op);
}

class Folder {
 public:
  explicit Folder(const OperatorGraph& graph)
      : graph_(graph),
        producers_(Producers(graph)),
        consumers_(Consumers(graph)),
        is_output_(OutputMask(graph)),
        copier_(graph) {}

  absl::StatusOr<OperatorGraph> Run() {
    std::map<int, Match> by_norm;
    std::map<int, int> norm_of_product;
    std::vector<bool> dropped(graph_.nodes.size(), false);
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      const std::optional<Match> match = MatchNorm(i);
      if (!match.has_value()) continue;
      by_norm[i] = *match;
      norm_of_product[match->product] = i;
      if (match->bias >= 0) dropped[match->bias] = true;
    }
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      if (norm_of_product.contains(i)) {
        CopyProduct(by_norm[norm_of_product[i]]);
      } else if (by_norm.contains(i)) {
        EmitBias(by_norm[i]);
      } else if (!dropped[i]) {
        copier_.CopyNode(graph_.nodes[i]);
      }
    }
    return std::move(copier_).Finish();
  }

 private:
  bool IsConstant(TensorId tensor) const {
    return graph_.constants.contains(tensor);
  }

  // The node that computes `tensor` for a single reader; -1 if there is none.
  int PrivateProducer(TensorId tensor) const {
    return consumers_[tensor].size() == 1 && !is_output_[tensor]
               ? producers_[tensor]
               : -1;
  }

  std::optional<Match> MatchNorm(int i) const {
    const Node& norm = graph_.nodes[i];
    if (!std::holds_alternative<BatchNorm>(norm.op)) return std::nullopt;
    for (size_t p = 1; p < norm.inputs.size(); ++p) {
      if (!IsConstant(norm.inputs[p])) return std::nullopt;
    }
    Match match{.norm = i};
    int before = PrivateProducer(norm.inputs[0]);
    if (before < 0) return std::nullopt;
    if (std::holds_alternative<BiasAdd>(graph_.nodes[before].op)) {
      if (!IsConstant(graph_.nodes[before].inputs[1])) return std::nullopt;
      match.bias = before;
      before = PrivateProducer(graph_.nodes[before].inputs[0]);
      if (before < 0) return std::nullopt;
    }
    const Node& product = graph_.nodes[before];
    if (!HasWeightsByChannel(product.op)) return std::nullopt;
    if (!IsConstant(product.inputs[1])) return std::nullopt;
    match.product = before;
    return match;
  }

  std::vector<double> Values(TensorId constant) const {
    return MaterializeConstant(graph_.constants.at(constant),
                               graph_.ShapeOf(constant));
  }

  // scale / sqrt(variance + epsilon).
  std::vector<double> Factor(const Node& norm) const {
    const double epsilon = std::get<BatchNorm>(norm.op).epsilon;
    std::vector<double> factor = Values(norm.inputs[1]);
    const std::vector<double> variance = Values(norm.inputs[4]);
    for (size_t c = 0; c < factor.size(); ++c) {
      factor[c] /= std::sqrt(variance[c] + epsilon);
    }
    return factor;
  }

  void CopyProduct(const Match& match) {
    const Node& product = graph_.nodes[match.product];
    const TensorId weights = product.inputs[1];
    const std::vector<double> factor = Factor(graph_.nodes[match.norm]);
    // Named after the product: others may read the same weights unscaled.
    const TensorId scaled = copier_.builder().Constant(
        copier_.FreshName(
            absl::StrCat(graph_.NameOf(product), ".folded_weights")),
        graph_.ShapeOf(weights),
        ScaleChannels(graph_.constants.at(weights), factor,
                      std::vector<double>(factor.size(), 0.0)));
    copier_.Replace(
        product.output,
        copier_.builder().Apply(graph_.NameOf(product), product.op,
                                {copier_.Copy(product.inputs[0]), scaled}));
  }

  // (bias - mean) * factor + shift, added to the product.
  void EmitBias(const Match& match) {
    const Node& norm = graph_.nodes[match.norm];
    const std::vector<double> factor = Factor(norm);
    const std::vector<double> shift = Values(norm.inputs[2]);
    const std::vector<double> mean = Values(norm.inputs[3]);
    std::vector<double> offset(factor.size());
    for (size_t c = 0; c < factor.size(); ++c) {
      offset[c] = shift[c] - mean[c] * factor[c];
    }
    const Shape shape = {static_cast<int64_t>(factor.size())};
    const ConstantData bias =
        match.bias >= 0
            ? graph_.constants.at(graph_.nodes[match.bias].inputs[1])
            : ConstantData{MakeExplicit(std::vector<float>(factor.size()))};
    const TensorId folded = copier_.builder().Constant(
        copier_.FreshName(absl::StrCat(graph_.NameOf(norm), ".folded_bias")),
        shape, ScaleChannels(bias, factor, offset));
    copier_.Replace(
        norm.output,
        copier_.builder().BiasAdd(
            graph_.NameOf(norm),
            copier_.Copy(graph_.nodes[match.product].output), folded));
  }

  const OperatorGraph& graph_;
  const std::vector<int> producers_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<bool> is_output_;
  GraphCopier copier_;
};

}  // namespace

absl::StatusOr<OperatorGraph> FoldBatchNorm(const OperatorGraph& graph) {
  return Folder(graph).Run();
}

}  // namespace pruner
