#include "pruner/program/region_forms.h"

#include <algorithm>

namespace pruner {

void RegionForms::Begin(const Structure& structure, int at) {
  summands_.clear();
  forms_.resize(structure.num_axes);
  edges_.resize(structure.num_axes);
  const StageStructure& stage = structure.stages[at];
  for (int a = 0; a < stage.num_axes; ++a) {
    forms_[stage.first_axis + a] = Unknown();
    edges_[stage.first_axis + a] = 0;
  }
}

RegionForms::Form RegionForms::Unknown() {
  summands_.push_back({.thing = next_unknown_++, .factor = 1});
  return {.first = summands_.size() - 1, .count = 1};
}

absl::Span<const RegionForms::Summand> RegionForms::SummandsOf(
    const Form& form) const {
  return absl::MakeConstSpan(summands_).subspan(form.first, form.count);
}

bool RegionForms::HasEdges(const Structure& structure,
                           const ReadGroup& read) const {
  const int first_axis = structure.stages[read.reader].first_axis;
  return read.index->clamped || read.index->divisor != 1 ||
         std::any_of(read.index->terms.begin(), read.index->terms.end(),
                     [&](const IndexTerm& term) {
                       return edges_[first_axis + term.axis] != 0;
                     });
}

RegionForms::Form RegionForms::FormOf(const Structure& structure,
                                      const IndexExpr& index, int reader) {
  const int first_axis = structure.stages[reader].first_axis;
  const size_t first = summands_.size();
  for (const IndexTerm& term : index.terms) {
    const Form form = forms_[first_axis + term.axis];
    for (size_t k = 0; k < form.count; ++k) {
      Summand summand = summands_[form.first + k];
      summand.factor *= term.coefficient;
      const auto place = std::lower_bound(
          summands_.begin() + static_cast<std::ptrdiff_t>(first),
          summands_.end(), summand.thing,
          [](const Summand& s, int thing) { return s.thing < thing; });
      if (place != summands_.end() && place->thing == summand.thing) {
        place->factor += summand.factor;
      } else {
        summands_.insert(place, summand);
      }
    }
  }
  summands_.erase(
      std::remove_if(summands_.begin() + static_cast<std::ptrdiff_t>(first),
                     summands_.end(),
                     [](const Summand& s) { return s.factor == 0; }),
      summands_.end());
  return {.first = first, .count = summands_.size() - first};
}

bool RegionForms::MovesTogether(const Structure& structure,
                                const ReadGroup& read, const ReadGroup& first,
                                const Form& form) {
  if (read.index->opaque || read.index->divisor != first.index->divisor ||
      read.index->modulus != first.index->modulus) {
    return false;
  }
  const Form other = FormOf(structure, *read.index, read.reader);
  const bool is_same = SummandsOf(other) == SummandsOf(form);
  summands_.resize(other.first);
  return is_same;
}

bool RegionForms::AddMember(int i, Structure& structure) {
  const StageStructure& stage = structure.stages[i];
  bool has_any = false;
  for (int a = 0; a < stage.num_axes; ++a) {
    const int axis = stage.first_axis + a;
    const absl::Span<const ReadGroup> reads = structure.facts->ReadsAlong(axis);
    if (a >= stage.rank) {
      // A reduction reads all along its axes.
      forms_[axis] = Form();
      edges_[axis] = 0;
      structure.moves_together.push_back(1);
      structure.has_edges.push_back(0);
      continue;
    }
    const Form form = FormOf(structure, *reads[0].index, reads[0].reader);
    const bool together =
        std::all_of(reads.begin(), reads.end(), [&](const ReadGroup& read) {
          return MovesTogether(structure, read, reads[0], form);
        });
    const bool is_sum = together && reads[0].index->divisor == 1 &&
                        reads[0].index->modulus == 0;
    forms_[axis] = is_sum ? form : Unknown();
    edges_[axis] = std::any_of(
        reads.begin(), reads.end(),
        [&](const ReadGroup& read) { return HasEdges(structure, read); });
    has_any |= edges_[axis] != 0;
    structure.moves_together.push_back(together ? 1 : 0);
    structure.has_edges.push_back(edges_[axis]);
  }
  return has_any;
}

}  // namespace pruner
