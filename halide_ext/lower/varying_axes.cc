#include "halide_ext/lower/varying_axes.h"

#include <algorithm>

namespace pruner {
namespace {

using Axes = std::vector<bool>;

// The extent of what an index covers is the same wherever the reader's loops
// are.
bool IsFixed(const IndexExpr& index, const Axes& reader_varying) {
  if (index.opaque || index.clamped || index.divisor != 1 || index.modulus != 0)
    return false;
  return std::none_of(
      index.terms.begin(), index.terms.end(),
      [&](const IndexTerm& term) { return reader_varying[term.axis]; });
}

}  // namespace

std::vector<std::vector<bool>> VaryingAxes(const LoopState& state) {
  const ComputeDag& dag = *state.dag;
  std::vector<Axes> varying(dag.size());
  for (int i = dag.size() - 1; i >= 0; --i) {  // readers first
    varying[i].assign(dag.stage(i).axes.size(), false);
    if (state.stages[i].location == ComputeLocation::kRoot) continue;
    std::vector<const IndexExpr*> first(dag.stage(i).SpatialRank(), nullptr);
    for (int reader : dag.consumers(i)) {
      for (const Access& access : dag.stage(reader).reads) {
        if (access.stage != i) continue;
        for (size_t d = 0; d < first.size(); ++d) {
          const IndexExpr& index = access.indices[d];
          if (first[d] == nullptr) first[d] = &index;
          if (!IsFixed(index, varying[reader]) ||
              index.terms != first[d]->terms) {
            varying[i][d] = true;
          }
        }
      }
    }
  }
  return varying;
}

}  // namespace pruner
