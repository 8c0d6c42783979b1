#include "pruner/program/region_forms.h"

#include <algorithm>

namespace pruner {

RegionForms::RegionForms(const Structure& structure, int at)
    : structure_(structure),
      forms_(structure.stages.size()),
      edges_(structure.stages.size()) {
  for (int a = 0; a < structure.stages[at].num_axes; ++a)
    forms_[at].push_back(Unknown());
  edges_[at].assign(structure.stages[at].num_axes, 0);
}

bool RegionForms::HasEdges(const ReadBy& read, int dimension) const {
  const IndexExpr& index = read.access->indices[dimension];
  return index.clamped || index.divisor != 1 ||
         std::any_of(index.terms.begin(), index.terms.end(),
                     [&](const IndexTerm& term) {
                       return edges_[read.reader][term.axis] != 0;
                     });
}

RegionForms::Form RegionForms::FormOf(const IndexExpr& index,
                                      int reader) const {
  Form form;
  for (const IndexTerm& term : index.terms) {
    for (const auto& [thing, factor] : forms_[reader][term.axis])
      form[thing] += term.coefficient * factor;
  }
  std::erase_if(form, [](const auto& entry) { return entry.second == 0; });
  return form;
}

void RegionForms::AddMember(int i, std::vector<char>& moves_together,
                            std::vector<char>& has_edges) {
  const StageStructure& stage = structure_.stages[i];
  const std::vector<ReadBy>& reads = structure_.read_by[i];
  for (int d = 0; d < stage.rank; ++d) {
    const IndexExpr& first = reads[0].access->indices[d];
    const Form form = FormOf(first, reads[0].reader);
    const bool together =
        std::all_of(reads.begin(), reads.end(), [&](const ReadBy& read) {
          const IndexExpr& index = read.access->indices[d];
          return !index.opaque && index.divisor == first.divisor &&
                 index.modulus == first.modulus &&
                 FormOf(index, read.reader) == form;
        });
    const bool is_sum = together && first.divisor == 1 && first.modulus == 0;
    forms_[i].push_back(is_sum ? form : Unknown());
    moves_together.push_back(together);
    edges_[i].push_back(
        std::any_of(reads.begin(), reads.end(),
                    [&](const ReadBy& read) { return HasEdges(read, d); }));
  }
  // A reduction reads all along its axes.
  for (int a = stage.rank; a < stage.num_axes; ++a) {
    forms_[i].emplace_back();
    moves_together.push_back(1);
    edges_[i].push_back(0);
  }
  has_edges.insert(has_edges.end(), edges_[i].begin(), edges_[i].end());
}

}  // namespace pruner
