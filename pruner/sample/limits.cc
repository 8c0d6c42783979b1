#include "pruner/sample/limits.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pruner/analysis/program_symbols.h"
#include "pruner/base/factors.h"
#include "pruner/sample/thread_tiles.h"
#include "pruner/sample/tile_sizes.h"
#include "pruner/sketch/recomputation.h"

namespace pruner {
namespace {

// Cores that idle while the last round of parallel iterations runs may cost
// this much.
constexpr double kMaxImbalance = 1.34;

// The stage in whose nest, or inlined into which, `stage` is computed; itself
// if it is at the root.
int RootOf(const LoopState& state, int stage) {
  while (state.stages[stage].location == ComputeLocation::kAt)
    stage = state.stages[stage].at_stage;
  return stage;
}

int64_t Elements(const StageState& stage, const Stage& s) {
  int64_t elements = 1;
  for (int d = 0; d < s.SpatialRank(); ++d) elements *= stage.axis_extents[d];
  return elements;
}

// Of a stage in registers, what a thread has of it.
int64_t ElementsOfThread(const StageState& stage) {
  int64_t elements = 1;
  for (const Iterator& iterator : stage.iterators) {
    const bool own = iterator.kind == AxisKind::kSpatial &&
                     iterator.annotation != Annotation::kThread &&
                     iterator.annotation != Annotation::kBlock;
    if (own) elements *= iterator.extent;
  }
  return elements;
}

// The vectors of threads lie within rows, and are whole.
bool HasWholeVectors(const StageState& stage) {
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.annotation != Annotation::kVectorize) continue;
    const LoopPart& part = iterator.parts.back();
    const bool is_whole = iterator.path == 0
                              ? stage.axis_extents[part.axis] % part.extent == 0
                              : part.extent % iterator.limit == 0;
    if (!is_whole) return false;
  }
  return true;
}

// Blocks of less than a warp leave lanes idle, unless there is no more to do.
bool HasTooFewThreads(const LoopState& state, int stage, int64_t threads,
                      int64_t warp) {
  // Each thread computes it for itself.
  if (!state.stages[stage].HasLoop(Annotation::kThread)) return false;
  const Stage& s = state.dag->stage(stage);
  const bool is_small = s.SpatialSize() * s.ReductionSize() <= 2 * warp;
  return threads < std::min(warp, s.SpatialSize()) && !is_small;
}

std::optional<Rejection> CheckBlocks(const LoopState& state,
                                     const ProgramSymbols& symbols,
                                     const TargetSpec& target) {
  std::vector<int64_t> shared_bytes(state.stages.size(), 0);
  for (int i = 0; i < state.dag->size(); ++i) {
    const StageState& stage = state.stages[i];
    if (symbols.stages[i].is_absent) continue;
    const int64_t threads = symbols.stages[i].threads;
    if (threads > target.limits.threads_per_block) return Rejection::kThreads;
    if (symbols.stages[i].vthreads > target.limits.vthreads)
      return Rejection::kVThreads;
    if (stage.storage == Storage::kRegister) {
      if (HasTooFewThreads(state, i, threads, target.units.simd_lanes))
        return Rejection::kThreads;
      if (ElementsOfThread(stage) > ThreadAccumulators(target))
        return Rejection::kRegisters;
    }
    if (target.HasThreads() && !HasWholeVectors(stage))
      return Rejection::kVectorLength;
    if (stage.storage != Storage::kShared) continue;
    int64_t& bytes = shared_bytes[RootOf(state, i)];
    bytes += Elements(stage, state.dag->stage(i)) *
             state.dag->stage(i).ElementBytes();
    if (bytes > target.limits.shared_bytes_per_block)
      return Rejection::kSharedMemory;
  }
  return std::nullopt;
}

std::optional<Rejection> CheckStage(const Stage& stage,
                                    const StageSymbols& symbols,
                                    const TargetSpec& target) {
  if (symbols.is_nested_parallel) return Rejection::kNestedParallel;
  const int64_t cores = target.units.cores;
  const int64_t rounds = CeilDiv(symbols.parallel_extent, cores);
  // Where there is hardly anything to divide, nothing better can be had.
  const bool divisible = stage.SpatialSize() >= 16 * cores;
  if (symbols.parallel_extent > 1 && divisible &&
      static_cast<double>(rounds * cores) >
          kMaxImbalance * static_cast<double>(symbols.parallel_extent)) {
    return Rejection::kImbalance;
  }
  if (symbols.unrolled_statements > target.limits.unrolled_statements) {
    return Rejection::kUnrolled;
  }
  if (symbols.threads == 1 &&
      symbols.accumulators > AccumulatorRegisters(target)) {
    return Rejection::kRegisters;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rejection> CheckLimits(const LoopState& state,
                                     const TargetSpec& target) {
  const ProgramSymbols symbols = ExtractSymbols(state, target);
  for (int i = 0; i < state.dag->size(); ++i) {
    if (symbols.stages[i].is_absent) continue;
    if (std::optional<Rejection> rejection =
            CheckStage(state.dag->stage(i), symbols.stages[i], target)) {
      return rejection;
    }
  }
  for (int i = 0; i < state.dag->size(); ++i) {
    const StageState& stage = state.stages[i];
    if (stage.location == ComputeLocation::kAt &&
        !symbols.stages[i].is_absent &&
        IsRecomputedTooOften(state, i, stage.at_stage, stage.at_iterator)) {
      return Rejection::kRecomputation;
    }
  }
  return CheckBlocks(state, symbols, target);
}

}  // namespace pruner
