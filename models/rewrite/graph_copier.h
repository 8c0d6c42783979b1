// What the rewrites are written with: graphs are not changed but copied, with
// differences.
#ifndef MODELS_REWRITE_GRAPH_COPIER_H_
#define MODELS_REWRITE_GRAPH_COPIER_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Copies a graph node by node into a new one; a pass leaves out or replaces
// what it changes. Inputs are copied first, all of them: rewriting keeps a
// network's interface. Constants follow when they are first read, so that those
// without readers vanish.
class GraphCopier {
 public:
  // `from` is valid and outlives the copier.
  explicit GraphCopier(const OperatorGraph& from);

  // The copy of a tensor of `from`.
  TensorId Copy(TensorId tensor);

  // Copies a node, its output named `name`.
  void CopyNode(const Node& node, absl::string_view name);
  void CopyNode(const Node& node) { CopyNode(node, from_.NameOf(node)); }

  // Readers of `tensor` of `from` shall read `copy` of the new graph.
  void Replace(TensorId tensor, TensorId copy) { copies_[tensor] = copy; }

  // `stem`, with as many ' behind it as it takes to be no tensor's name in
  // `from`, and none that was given before.
  std::string FreshName(absl::string_view stem);

  // The new graph, for nodes other than copies.
  GraphBuilder& builder() { return builder_; }

  // Declares the outputs and returns the graph.
  absl::StatusOr<OperatorGraph> Finish() &&;

 private:
  const OperatorGraph& from_;
  GraphBuilder builder_;
  std::vector<TensorId> copies_;
  std::set<std::string> names_;  // in `from`, and given
};

}  // namespace pruner

#endif  // MODELS_REWRITE_GRAPH_COPIER_H_
