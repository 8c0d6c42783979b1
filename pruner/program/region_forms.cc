#include "pruner/program/region_forms.h"

#include <algorithm>
#include <utility>

namespace pruner {

void RegionForms::Begin(const Structure& structure, int at) {
  axes_.resize(structure.num_axes);
  const StageStructure& stage = structure.stages[at];
  for (int a = 0; a < stage.num_axes; ++a) {
    Axis& axis = axes_[stage.first_axis + a];
    axis.is_own = true;
    axis.has_edges = false;
    axis.has_forms = false;
  }
}

bool RegionForms::HasEdges(const Structure& structure,
                           const ReadGroup& read) const {
  const int first_axis = structure.stages[read.reader].first_axis;
  return read.index->clamped || read.index->divisor != 1 ||
         std::any_of(read.index->terms.begin(), read.index->terms.end(),
                     [&](const IndexTerm& term) {
                       return axes_[first_axis + term.axis].has_edges;
                     });
}

RegionForms::Forms RegionForms::DividendsOf(const Structure& structure,
                                            const ReadGroup& read) {
  const int first_axis = structure.stages[read.reader].first_axis;
  Forms sum;
  for (const IndexTerm& term : read.index->terms) {
    const Forms& forms = FormsOf(structure, first_axis + term.axis);
    sum.anywhere.Add(forms.anywhere, term.coefficient);
    sum.if_divisible.Add(forms.if_divisible, term.coefficient);
  }
  return sum;
}

const RegionForms::Forms& RegionForms::FormsOf(const Structure& structure,
                                               int axis) {
  if (!axes_[axis].has_forms) {
    axes_[axis].forms = FindForms(structure, axis);
    axes_[axis].has_forms = true;
  }
  return axes_[axis].forms;
}

RegionForms::Forms RegionForms::FindForms(const Structure& structure,
                                          int axis) {
  const Axis& a = axes_[axis];
  // A reduction reads all along its axes.
  if (a.is_reduction && !a.is_own) return {};
  const LinearForm somewhere(axis);
  Forms forms = {.anywhere = somewhere, .if_divisible = somewhere};
  if (a.is_own || a.together == MovesTogether::kNever) return forms;
  const ReadGroup& read = structure.facts->ReadsAlong(axis)[0];
  if (read.index->modulus != 0) return forms;
  Forms dividends = DividendsOf(structure, read);
  dividends.if_divisible.Divide(read.index->divisor);
  forms.if_divisible = std::move(dividends.if_divisible);
  if (a.together == MovesTogether::kAlways && read.index->divisor == 1)
    forms.anywhere = std::move(dividends.anywhere);
  return forms;
}

MovesTogether RegionForms::Compare(const Structure& structure,
                                   const ReadGroup& a, const ReadGroup& b) {
  if (a.index->opaque || b.index->opaque ||
      a.index->modulus != b.index->modulus) {
    return MovesTogether::kNever;
  }
  if (&a == &b) return MovesTogether::kAlways;
  Forms forms_a = DividendsOf(structure, a);
  Forms forms_b = DividendsOf(structure, b);
  if (a.index->divisor == b.index->divisor &&
      forms_a.anywhere == forms_b.anywhere) {
    return MovesTogether::kAlways;
  }
  forms_a.if_divisible.Divide(a.index->divisor);
  forms_b.if_divisible.Divide(b.index->divisor);
  return forms_a.if_divisible == forms_b.if_divisible
             ? MovesTogether::kIfDivisible
             : MovesTogether::kNever;
}

bool RegionForms::AddMember(int i, Structure& structure) {
  const StageStructure& stage = structure.stages[i];
  bool has_any = false;
  for (int a = 0; a < stage.num_axes; ++a) {
    const int axis = stage.first_axis + a;
    auto together = MovesTogether::kAlways;
    bool has_edges = false;
    if (!structure.dag->stage(i).IsDivisible(a)) {
      together = MovesTogether::kNever;
    } else if (a < stage.rank) {
      const absl::Span<const ReadGroup> reads =
          structure.facts->ReadsAlong(axis);
      for (const ReadGroup& read : reads) {
        together = std::min(together, Compare(structure, reads[0], read));
        has_edges |= HasEdges(structure, read);
      }
    }
    Axis& known = axes_[axis];
    known.is_own = false;
    known.is_reduction = a >= stage.rank;
    known.has_edges = has_edges;
    known.together = together;
    known.has_forms = false;
    has_any |= has_edges;
    structure.moves_together.push_back(together);
    structure.has_edges.push_back(has_edges ? 1 : 0);
  }
  return has_any;
}

SlideForm RegionForms::SlideOf(const Structure& structure, int stage, int at,
                               int axis) {
  const int first_axis = structure.stages[stage].first_axis;
  const StageStructure& own = structure.stages[at];
  return FindSlideForm(
      structure.dag->stage(stage),
      [&](int d) { return FormsOf(structure, first_axis + d).anywhere; },
      own.first_axis, own.num_axes, axis);
}

}  // namespace pruner
