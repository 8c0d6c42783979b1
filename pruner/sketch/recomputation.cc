#include "pruner/sketch/recomputation.h"

#include <algorithm>
#include <vector>

#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/infer_bounds.h"

namespace pruner {
namespace {

// A stencil or reduction that is computed more often than this had better be
// stored.
constexpr double kMaxRecomputation = 4;

// Enough to know that it is too much.
constexpr int64_t kMax = 1 << 20;

double Executions(const LoopState& state, int stage, int iterator) {
  const StageState& s = state.stages[stage];
  double executions = 1;
  for (int i = 0; i <= iterator; ++i)
    executions *= static_cast<double>(s.iterators[i].extent);
  if (s.location == ComputeLocation::kAt)
    executions *= Executions(state, s.at_stage, s.at_iterator);
  return executions;
}

}  // namespace

int64_t ReadsPerElement(const LoopState& state, int stage) {
  int64_t most = 0;
  for (int consumer : state.dag->consumers(stage)) {
    const std::vector<Access>& reads = state.dag->stage(consumer).reads;
    int64_t count = std::count_if(
        reads.begin(), reads.end(),
        [&](const Access& access) { return access.stage == stage; });
    if (state.stages[consumer].location == ComputeLocation::kInlined)
      count *= ReadsPerElement(state, consumer);
    most = std::max(most, std::min(count, kMax));
  }
  return most;
}

int64_t StoredReads(const LoopState& state, int stage) {
  int64_t reads = 0;
  for (const Access& access : state.dag->stage(stage).reads) {
    reads += state.stages[access.stage].location == ComputeLocation::kInlined
                 ? StoredReads(state, access.stage)
                 : 1;
  }
  return std::min(reads, kMax);
}

double Recomputation(const LoopState& state, int stage, int at, int iterator) {
  double elements = Executions(state, at, iterator);
  for (int64_t extent : RequiredExtents(state, stage, at, iterator))
    elements *= static_cast<double>(extent);
  return elements / static_cast<double>(state.dag->stage(stage).SpatialSize());
}

bool IsRecomputedTooOften(const Stage& stage, bool is_packed, double elements) {
  const bool is_costly =
      ReadsNeighbours(stage) || stage.HasReduction() || is_packed;
  return is_costly && elements > kMaxRecomputation *
                                     static_cast<double>(stage.SpatialSize());
}

bool IsRecomputedTooOften(const LoopState& state, int stage, int at,
                          int iterator) {
  const Stage& s = state.dag->stage(stage);
  return IsRecomputedTooOften(s, state.stages[stage].IsPacked(),
                              Recomputation(state, stage, at, iterator) *
                                  static_cast<double>(s.SpatialSize()));
}

}  // namespace pruner
