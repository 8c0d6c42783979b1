#include "halide_ext/lower/varying_axes.h"

#include <algorithm>
#include <cstdint>
#include <variant>

namespace pruner {
namespace {

using Axes = std::vector<bool>;

// Stages with a split that leaves a rest to a guard, as all of a reduction do.
std::vector<bool> GuardedStages(const Schedule& schedule,
                                const ComputeDag& dag) {
  std::vector<bool> guarded;
  for (const Stage& stage : dag.stages())
    guarded.push_back(stage.HasReduction() || stage.accumulates);
  const std::vector<int> final_stages = FinalStages(schedule);
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const TransformStep& step = schedule.steps[i];
    const auto* split = std::get_if<SplitStep>(&step);
    const auto* follow = std::get_if<FollowSplitStep>(&step);
    // One that would be rounded up is left to a guard as well (see StageLoops).
    if ((split != nullptr && split->tail != Tail::kShiftInwards) ||
        (follow != nullptr && follow->tail != Tail::kShiftInwards)) {
      guarded[final_stages[i]] = true;
    }
  }
  return guarded;
}

// Axes over which the stage's loops step beyond the end.
Axes AxesWithRest(const StageState& stage) {
  std::vector<int64_t> covered(stage.axis_extents.size(), 1);
  for (const Iterator& iterator : stage.iterators) {
    for (const LoopPart& part : iterator.parts)
      covered[part.axis] += (part.extent - 1) * part.stride;
  }
  Axes rest(covered.size());
  for (size_t a = 0; a < rest.size(); ++a)
    rest[a] = covered[a] > stage.axis_extents[a];
  return rest;
}

// The extent of what an index covers is the same wherever the reader's loops
// are. `is_whole`: it is all of the dimension, as far as anyone knows.
bool IsFixed(const IndexExpr& index, const Axes& reader_varying,
             bool is_whole) {
  if (index.opaque || index.clamped || index.divisor != 1) return false;
  if (index.modulus != 0 && !is_whole) return false;
  return std::none_of(
      index.terms.begin(), index.terms.end(),
      [&](const IndexTerm& term) { return reader_varying[term.axis]; });
}

// An index with the stage whose axes it names.
struct Read {
  const IndexExpr* index = nullptr;
  const Stage* reader = nullptr;
};

// Both move with the same loops. Axes of the same number are not the same loop
// where one is of a reduction, which reads all along it wherever the other is.
bool MoveTogether(const Read& a, const Read& b) {
  if (a.index->terms != b.index->terms) return false;
  return std::all_of(a.index->terms.begin(), a.index->terms.end(),
                     [&](const IndexTerm& term) {
                       return (term.axis < a.reader->SpatialRank()) ==
                              (term.axis < b.reader->SpatialRank());
                     });
}

}  // namespace

std::vector<std::vector<bool>> ShrinkingAxes(
    const LoopState& state,
    const std::vector<std::vector<bool>>& read_in_part) {
  const ComputeDag& dag = *state.dag;
  std::vector<Axes> shrinking = read_in_part;
  for (int i = dag.size() - 1; i >= 0; --i) {  // readers first
    shrinking[i].resize(dag.stage(i).axes.size(), false);
    for (int reader : dag.consumers(i)) {
      if (state.stages[reader].location == ComputeLocation::kRoot &&
          !dag.stage(reader).opaque) {
        continue;  // computed whole
      }
      for (const Access& access : dag.stage(reader).reads) {
        if (access.stage != i) continue;
        for (size_t d = 0; d < access.indices.size(); ++d) {
          for (const IndexTerm& term : access.indices[d].terms) {
            if (shrinking[reader][term.axis]) shrinking[i][d] = true;
          }
        }
      }
    }
  }
  return shrinking;
}

std::vector<std::vector<bool>> VaryingAxes(
    const Schedule& schedule, const LoopState& state,
    const std::vector<bool>& guessed,
    const std::vector<std::vector<bool>>& shrinking) {
  const ComputeDag& dag = *state.dag;
  const std::vector<bool> guarded = GuardedStages(schedule, dag);
  std::vector<Axes> varying(dag.size());
  std::vector<Axes> tiles(dag.size());  // of what a tile of the stage covers
  for (int i = dag.size() - 1; i >= 0; --i) {  // readers first
    varying[i].assign(dag.stage(i).axes.size(), false);
    tiles[i] = guarded[i] ? AxesWithRest(state.stages[i]) : varying[i];
    if (guessed[i]) {
      std::fill_n(varying[i].begin(), dag.stage(i).SpatialRank(), true);
      std::fill_n(tiles[i].begin(), dag.stage(i).SpatialRank(), true);
    }
    if (state.stages[i].location == ComputeLocation::kRoot) continue;
    varying[i] = shrinking[i];
    std::vector<Read> first(dag.stage(i).SpatialRank());
    for (int reader : dag.consumers(i)) {
      for (const Access& access : dag.stage(reader).reads) {
        if (access.stage != i) continue;
        for (size_t d = 0; d < first.size(); ++d) {
          const IndexExpr& index = access.indices[d];
          const Read read = {&index, &dag.stage(reader)};
          if (first[d].index == nullptr) first[d] = read;
          const bool is_whole =
              state.stages[i].axis_extents[d] == dag.stage(i).shape[d];
          if (!IsFixed(index, tiles[reader], is_whole) ||
              !MoveTogether(read, first[d])) {
            varying[i][d] = true;
          }
        }
      }
    }
    for (size_t a = 0; a < varying[i].size(); ++a)
      tiles[i][a] = tiles[i][a] || varying[i][a];
  }
  return varying;
}

}  // namespace pruner
