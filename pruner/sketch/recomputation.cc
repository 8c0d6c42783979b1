#include "pruner/sketch/recomputation.h"

#include <algorithm>

#include "pruner/dag/node_analysis.h"

namespace pruner {
namespace {

// A stencil or reduction that is computed more often than this had better be
// stored.
constexpr double kMaxRecomputation = 4;

// Enough to know that it is too much.
constexpr int64_t kMax = 1 << 20;
constexpr int64_t kMaxEvaluated = int64_t{1} << 40;

}  // namespace

InlinedReads::InlinedReads(const LoopState& state)
    : state_(state),
      per_element_(state.stages.size(), 0),
      evaluated_(state.stages.size(), 0),
      next_(static_cast<int>(state.stages.size())) {}

int64_t InlinedReads::PerElement(int stage) {
  while (next_ > stage) {
    int64_t& most = per_element_[--next_];
    int64_t& all = evaluated_[next_];
    for (const int consumer : state_.dag->consumers(next_)) {
      const std::vector<Access>& reads = state_.dag->stage(consumer).reads;
      int64_t count = std::count_if(
          reads.begin(), reads.end(),
          [&](const Access& access) { return access.stage == next_; });
      const Stage& reader = state_.dag->stage(consumer);
      all += count * (IsInlined(consumer) ? evaluated_[consumer]
                                          : reader.SpatialSize());
      all = std::min(all, kMaxEvaluated);
      if (IsInlined(consumer)) count *= per_element_[consumer];
      most = std::max(most, std::min(count, kMax));
    }
  }
  return per_element_[stage];
}

int64_t InlinedReads::Evaluated(int stage) {
  PerElement(stage);
  return evaluated_[stage];
}

int64_t InlinedReads::OfStored(int stage) {
  if (of_stored_.empty()) {
    of_stored_.resize(state_.stages.size(), 0);
    for (size_t i = 0; i < of_stored_.size(); ++i) {
      for (const Access& access : state_.dag->stage(static_cast<int>(i)).reads)
        of_stored_[i] += IsInlined(access.stage) ? of_stored_[access.stage] : 1;
      of_stored_[i] = std::min(of_stored_[i], kMax);
    }
  }
  return of_stored_[stage];
}

bool IsCostly(const Stage& stage, bool is_packed) {
  return ReadsNeighbours(stage) || stage.HasReduction() || stage.opaque ||
         is_packed;
}

bool IsRecomputedTooOften(const Stage& stage, bool is_packed, double elements) {
  return IsCostly(stage, is_packed) &&
         elements >
             kMaxRecomputation * static_cast<double>(stage.SpatialSize());
}

}  // namespace pruner
