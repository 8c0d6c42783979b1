// Exact simplification of networks.
#ifndef MODELS_REWRITE_SIMPLIFY_H_
#define MODELS_REWRITE_SIMPLIFY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Maps a valid graph to a valid one with the same inputs and outputs, by name
// and shape, that computes the same but for rounding (in double precision).
// What it does not change it returns as it was, up to the numbering of tensors.
struct RewritePass {
  absl::string_view name;
  absl::StatusOr<OperatorGraph> (*run)(const OperatorGraph&);
};

// All passes, in the order in which Simplify runs them.
absl::Span<const RewritePass> SimplificationPasses();

// Runs all passes in turn until none changes the graph. Tensors are then
// numbered inputs first, then each constant before its first reader, nodes in
// order.
absl::StatusOr<OperatorGraph> Simplify(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_SIMPLIFY_H_
