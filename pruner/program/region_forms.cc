#include "pruner/program/region_forms.h"

#include <algorithm>

namespace pruner {

void RegionForms::Begin(const Structure& structure, int at) {
  forms_.resize(structure.num_axes);
  edges_.resize(structure.num_axes);
  const StageStructure& stage = structure.stages[at];
  for (int a = 0; a < stage.num_axes; ++a) {
    const LinearForm loops(next_unknown_++);
    forms_[stage.first_axis + a] = {.anywhere = loops, .if_divisible = loops};
    edges_[stage.first_axis + a] = 0;
  }
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

RegionForms::Forms RegionForms::DividendsOf(const Structure& structure,
                                            const ReadGroup& read) const {
  const int first_axis = structure.stages[read.reader].first_axis;
  Forms sum;
  for (const IndexTerm& term : read.index->terms) {
    const Forms& forms = forms_[first_axis + term.axis];
    sum.anywhere.Add(forms.anywhere, term.coefficient);
    sum.if_divisible.Add(forms.if_divisible, term.coefficient);
  }
  return sum;
}

MovesTogether RegionForms::Compare(const ReadGroup& a, const Forms& forms_a,
                                   const ReadGroup& b, const Forms& forms_b) {
  if (a.index->opaque || b.index->opaque ||
      a.index->modulus != b.index->modulus) {
    return MovesTogether::kNever;
  }
  if (a.index->divisor == b.index->divisor &&
      forms_a.anywhere == forms_b.anywhere) {
    return MovesTogether::kAlways;
  }
  LinearForm fraction_a = forms_a.if_divisible,
             fraction_b = forms_b.if_divisible;
  fraction_a.Divide(a.index->divisor);
  fraction_b.Divide(b.index->divisor);
  return fraction_a == fraction_b ? MovesTogether::kIfDivisible
                                  : MovesTogether::kNever;
}

RegionForms::Forms RegionForms::FormsOf(const IndexExpr& index,
                                        const Forms& first,
                                        MovesTogether together) {
  const LinearForm unknown(next_unknown_++);
  Forms forms = {.anywhere = unknown, .if_divisible = unknown};
  if (together == MovesTogether::kNever || index.modulus != 0) return forms;
  forms.if_divisible = first.if_divisible;
  forms.if_divisible.Divide(index.divisor);
  if (together == MovesTogether::kAlways && index.divisor == 1)
    forms.anywhere = first.anywhere;
  return forms;
}

bool RegionForms::AddMember(int i, Structure& structure) {
  const StageStructure& stage = structure.stages[i];
  bool has_any = false;
  for (int a = 0; a < stage.num_axes; ++a) {
    const int axis = stage.first_axis + a;
    if (a >= stage.rank) {
      // A reduction reads all along its axes.
      forms_[axis] = Forms();
      edges_[axis] = 0;
      structure.moves_together.push_back(MovesTogether::kAlways);
      structure.has_edges.push_back(0);
      continue;
    }
    const absl::Span<const ReadGroup> reads = structure.facts->ReadsAlong(axis);
    const Forms first = DividendsOf(structure, reads[0]);
    auto together = MovesTogether::kAlways;
    bool has_edges = false;
    for (const ReadGroup& read : reads) {
      together = std::min(together, Compare(reads[0], first, read,
                                            DividendsOf(structure, read)));
      has_edges |= HasEdges(structure, read);
    }
    forms_[axis] = FormsOf(*reads[0].index, first, together);
    edges_[axis] = has_edges;
    has_any |= has_edges;
    structure.moves_together.push_back(together);
    structure.has_edges.push_back(edges_[axis]);
  }
  return has_any;
}

}  // namespace pruner
