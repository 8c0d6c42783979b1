#include "pruner/sample/limits.h"

#include <algorithm>
#include <cstdint>

#include "pruner/sample/tile_sizes.h"

namespace pruner {
namespace {

// Cores that idle while the last round of parallel iterations runs may cost
// this much.
constexpr double kMaxImbalance = 1.34;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Copies of the body after unrolling, in vectors.
int64_t UnrolledStatements(const StageState& stage, const TargetSpec& target) {
  int64_t copies = 1;
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.annotation == Annotation::kUnroll) copies *= iterator.extent;
    if (iterator.annotation == Annotation::kVectorize) {
      copies *= CeilDiv(iterator.extent, VectorWidth(iterator.extent, target));
    }
  }
  return copies;
}

bool IsInsideParallel(const LoopState& state, int stage) {
  const StageState& s = state.stages[stage];
  if (s.location != ComputeLocation::kAt) return false;
  const std::vector<Iterator>& outer = state.stages[s.at_stage].iterators;
  for (int i = 0; i <= s.at_iterator; ++i) {
    if (outer[i].annotation == Annotation::kParallel) return true;
  }
  return IsInsideParallel(state, s.at_stage);
}

std::optional<Rejection> CheckStage(const LoopState& state, int i,
                                    const TargetSpec& target) {
  const StageState& stage = state.stages[i];
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.annotation != Annotation::kParallel) continue;
    if (IsInsideParallel(state, i)) return Rejection::kNestedParallel;
    const int64_t rounds = CeilDiv(iterator.extent, target.units.cores);
    // Where there is hardly anything to divide, nothing better can be had.
    const bool divisible =
        state.dag->stage(i).SpatialSize() >= 16 * target.units.cores;
    if (divisible && static_cast<double>(rounds * target.units.cores) >
                         kMaxImbalance * static_cast<double>(iterator.extent)) {
      return Rejection::kImbalance;
    }
  }
  const int64_t statements = UnrolledStatements(stage, target);
  if (statements > target.limits.unrolled_statements)
    return Rejection::kUnrolled;
  const bool is_tile =
      state.dag->stage(i).HasReduction() &&
      stage.location == ComputeLocation::kAt &&
      std::any_of(stage.iterators.begin(), stage.iterators.end(),
                  [](const Iterator& it) {
                    return it.annotation == Annotation::kUnroll &&
                           it.kind == AxisKind::kSpatial;
                  });
  if (is_tile && statements > AccumulatorRegisters(target))
    return Rejection::kRegisters;
  return std::nullopt;
}

}  // namespace

std::optional<Rejection> CheckLimits(const LoopState& state,
                                     const TargetSpec& target) {
  for (int i = 0; i < state.dag->size(); ++i) {
    if (state.stages[i].location == ComputeLocation::kInlined) continue;
    if (std::optional<Rejection> rejection = CheckStage(state, i, target))
      return rejection;
  }
  return std::nullopt;
}

}  // namespace pruner
