#include "pruner/program/folded_reads.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pruner {
namespace {

// Enough to know that it is too much.
constexpr int64_t kMaxCount = int64_t{1} << 40;

int64_t Times(int64_t a, int64_t b) {
  return a > kMaxCount / std::max<int64_t>(b, 1) ? kMaxCount : a * b;
}

bool IsSum(const IndexExpr& index) {
  return !index.opaque && index.divisor == 1 && index.modulus == 0;
}

bool IsOpaque(const std::vector<IndexExpr>& indices) {
  return std::any_of(indices.begin(), indices.end(),
                     [](const IndexExpr& index) { return index.opaque; });
}

void AddTerm(int axis, int64_t coefficient, std::vector<IndexTerm>& terms) {
  const auto place = std::lower_bound(
      terms.begin(), terms.end(), axis,
      [](const IndexTerm& term, int a) { return term.axis < a; });
  if (place != terms.end() && place->axis == axis) {
    place->coefficient += coefficient;
  } else {
    terms.insert(place, {.axis = axis, .coefficient = coefficient});
  }
}

// `index` of a stage's axes, where the axes' values are `arguments` of the
// reader's.
IndexExpr Compose(const IndexExpr& index,
                  const std::vector<IndexExpr>& arguments) {
  // An index as it is.
  if (index.terms.size() == 1 && index.terms[0].coefficient == 1 &&
      index.constant == 0 && IsSum(index)) {
    IndexExpr same = arguments[index.terms[0].axis];
    same.clamped |= index.clamped;
    return same;
  }
  IndexExpr result = index;
  result.terms.clear();
  for (const IndexTerm& term : index.terms) {
    const IndexExpr& argument = arguments[term.axis];
    result.opaque |= !IsSum(argument);
    result.clamped |= argument.clamped;
    result.constant += term.coefficient * argument.constant;
    for (const IndexTerm& t : argument.terms)
      AddTerm(t.axis, t.coefficient * term.coefficient, result.terms);
  }
  std::erase_if(result.terms,
                [](const IndexTerm& term) { return term.coefficient == 0; });
  return result;
}

// How far the constant of Compose grows where the arguments' grow by `spread`.
std::pair<int64_t, int64_t> SpreadOf(const IndexExpr& index,
                                     const std::vector<int64_t>& spread) {
  int64_t low = 0, high = 0;
  for (const IndexTerm& term : index.terms) {
    const int64_t reach = term.coefficient * spread[term.axis];
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool MovesAlike(const FoldedRead& a, const FoldedRead& b) {
  if (a.stage != b.stage || a.by_initialization != b.by_initialization)
    return false;
  return std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(),
                    DifferInConstantsAlone);
}

void Add(FoldedRead read, std::vector<FoldedRead>& reads) {
  for (FoldedRead& known : reads) {
    if (!MovesAlike(known, read)) continue;
    for (size_t d = 0; d < read.indices.size(); ++d) {
      int64_t& least = known.indices[d].constant;
      const int64_t largest = std::max(
          least + known.spread[d], read.indices[d].constant + read.spread[d]);
      least = std::min(least, read.indices[d].constant);
      known.spread[d] = largest - least;
    }
    known.count = std::min(kMaxCount, known.count + read.count);
    return;
  }
  reads.push_back(std::move(read));
}

FoldedRead Plain(const Access& access) {
  FoldedRead read = {.stage = access.stage,
                     .by_initialization = access.by_initialization,
                     .is_opaque = IsOpaque(access.indices),
                     .indices = access.indices};
  read.spread.assign(access.indices.size(), 0);
  return read;
}

// What `inner`, a read of the stage that `outer` reads, reads in its place.
FoldedRead Through(const FoldedRead& outer, const FoldedRead& inner) {
  FoldedRead read = {.stage = inner.stage,
                     .by_initialization = outer.by_initialization,
                     .count = Times(outer.count, inner.count)};
  for (size_t d = 0; d < inner.indices.size(); ++d) {
    const auto [low, high] = SpreadOf(inner.indices[d], outer.spread);
    IndexExpr index = Compose(inner.indices[d], outer.indices);
    read.spread.push_back(high - low + inner.spread[d]);
    index.constant += low;
    read.indices.push_back(std::move(index));
  }
  read.is_opaque = IsOpaque(read.indices);
  return read;
}

void AddOps(const OpCounts& more, OpCounts& ops) {
  std::vector<int64_t> counts;
  OpCounts::VisitFields(
      more, [&](const char*, int64_t count) { counts.push_back(count); });
  size_t i = 0;
  OpCounts::VisitFields(ops, [&](const char*, int64_t& count) {
    count = std::min(kMaxCount, count + counts[i++]);
  });
}

void AddWork(const IntegerWork& more, IntegerWork& work) {
  work.operations = std::min(kMaxCount, work.operations + more.operations);
  work.bytes = std::min(kMaxCount, work.bytes + more.bytes);
}

// What is inlined varies with an axis of its reader as far as it varies with
// its own axes that do.
void AddWork(const WorkByAxis& inlined, const Access& access,
             WorkByAxis& work) {
  work.all += inlined.all;
  for (size_t axis = 0; axis < work.varying.size(); ++axis) {
    double varying = 0;
    for (size_t d = 0; d < inlined.varying.size(); ++d) {
      const IndexExpr& index = access.indices[d];
      if (index.opaque || index.VariesWith(static_cast<int>(axis)))
        varying += inlined.varying[d];
    }
    work.varying[axis] += std::min(inlined.all, varying);
  }
}

}  // namespace

bool DifferInConstantsAlone(const IndexExpr& a, const IndexExpr& b) {
  return a.terms == b.terms && a.divisor == b.divisor &&
         a.modulus == b.modulus && a.opaque == b.opaque &&
         a.clamped == b.clamped;
}

std::vector<FoldedReads> FoldReads(const ComputeDag& dag,
                                   absl::FunctionRef<bool(int)> is_inlined) {
  std::vector<FoldedReads> result(dag.size());
  for (int i = 0; i < dag.size(); ++i) {
    const Stage& stage = dag.stage(i);
    FoldedReads& folded = result[i];
    folded.ops = stage.ops;
    folded.integer_work = dag.integer_work(i);
    folded.work = dag.work_by_axis(i);
    for (const Access& access : stage.reads) {
      FoldedRead read = Plain(access);
      if (!is_inlined(access.stage)) {
        Add(std::move(read), folded.reads);
        continue;
      }
      const FoldedReads& inlined = result[access.stage];
      if (!access.by_initialization) {
        AddOps(inlined.ops, folded.ops);
        AddWork(inlined.integer_work, folded.integer_work);
        AddWork(inlined.work, access, folded.work);
      }
      for (const FoldedRead& inner : inlined.reads)
        Add(Through(read, inner), folded.reads);
    }
  }
  return result;
}

}  // namespace pruner
