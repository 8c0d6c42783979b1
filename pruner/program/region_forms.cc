#include "pruner/program/region_forms.h"

#include <algorithm>

namespace pruner {

RegionForms::RegionForms(const Structure& structure, int at)
    : structure_(structure), forms_(structure.stages.size()) {
  for (int a = 0; a < structure.stages[at].num_axes; ++a)
    forms_[at].push_back(Unknown());
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

void RegionForms::AddMember(int i, std::vector<char>& moves_together) {
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
  }
  // A reduction reads all along its axes.
  for (int a = stage.rank; a < stage.num_axes; ++a) {
    forms_[i].emplace_back();
    moves_together.push_back(1);
  }
}

}  // namespace pruner
