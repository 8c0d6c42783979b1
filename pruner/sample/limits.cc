#include "pruner/sample/limits.h"

#include <algorithm>
#include <cstdint>

#include "pruner/base/factors.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/program/code_size.h"
#include "pruner/program/root_of.h"
#include "pruner/sample/thread_tiles.h"
#include "pruner/sample/tile_sizes.h"
#include "pruner/sketch/recomputation.h"

namespace pruner {
namespace {

// Cores that idle while the last round of parallel iterations runs may cost
// this much.
constexpr double kMaxImbalance = 1.34;

// The vectors in which threads make a copy lie within rows, and are whole: no
// scalars in their place.
bool HasWholeVectors(const Program& program, int stage) {
  if (!program.dag->stage(stage).is_copy) return true;
  const Statement& body = program.statements[program.stages[stage].body];
  for (int l = body.loop; l >= 0; l = program.loops[l].parent) {
    const ProgramLoop& loop = program.loops[l];
    if (loop.stage != stage) break;
    if (loop.kind != LoopKind::kVectorized && loop.kind != LoopKind::kUnrolled)
      continue;
    const LoopShare& last =
        program.shares[loop.first_share + loop.num_shares - 1];
    const int64_t row =
        loop.num_shares > 1
            ? last.extent
            : program
                  .axis_extents[program.stages[stage].first_axis + last.axis];
    if (row % loop.extent != 0) return false;
  }
  return true;
}

// Blocks of less than a warp leave lanes idle, unless there is no more to do.
bool HasTooFewThreads(const Stage& stage, const StageSymbols& symbols,
                      int64_t warp) {
  // Each thread computes it for itself.
  if (!symbols.has_threads) return false;
  const bool is_small = stage.SpatialSize() * stage.ReductionSize() <= 2 * warp;
  return symbols.threads < std::min(warp, stage.SpatialSize()) && !is_small;
}

// Of the copies in shared memory, in bytes, that blocks of stage `root` hold.
int64_t SharedBytes(const Program& program, int root) {
  int64_t bytes = 0;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.storage != Storage::kShared) continue;
    if (RootOf(program, buffer.stage) == root)
      bytes += buffer.elements * buffer.element_bytes;
  }
  return bytes;
}

std::optional<Rejection> CheckBlocks(const Program& program, int i,
                                     const StageSymbols& symbols,
                                     const TargetSpec& target) {
  const Buffer& buffer = program.buffers[program.stages[i].buffer];
  if (symbols.threads > target.limits.threads_per_block)
    return Rejection::kThreads;
  if (symbols.vthreads > target.limits.vthreads) return Rejection::kVThreads;
  if (buffer.storage == Storage::kRegister) {
    if (HasTooFewThreads(program.dag->stage(i), symbols,
                         target.units.simd_lanes))
      return Rejection::kThreads;
    if (symbols.thread_elements > ThreadAccumulators(target))
      return Rejection::kRegisters;
  }
  if (buffer.storage == Storage::kShared && !HasWholeVectors(program, i))
    return Rejection::kVectorLength;
  if (program.stages[i].at_stage < 0 &&
      SharedBytes(program, i) > target.limits.shared_bytes_per_block)
    return Rejection::kSharedMemory;
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

bool HasTooManyStatements(const Program& program, const Limits& limits) {
  if (limits.program_statements == 0 && limits.statements_per_stage == 0)
    return false;
  const int64_t statements = CountStatements(program);
  int64_t stages = 0;
  for (const ProgramStage& stage : program.stages)
    stages += stage.is_absent ? 0 : 1;
  const auto exceeds = [&](int64_t limit) {
    return limit > 0 && statements > limit;
  };
  return exceeds(limits.program_statements) ||
         exceeds(limits.statements_per_stage * stages);
}

std::optional<Rejection> CheckLimits(const Program& program,
                                     const ProgramSymbols& symbols,
                                     const TargetSpec& target) {
  const int size = program.dag->size();
  if (HasTooManyStatements(program, target.limits)) return Rejection::kUnrolled;
  // What is computed as written is nobody's choice.
  const auto is_chosen = [&](int i) {
    return !symbols.stages[i].is_absent && !program.dag->stage(i).opaque;
  };
  for (int i = 0; i < size; ++i) {
    if (!is_chosen(i)) continue;
    if (std::optional<Rejection> rejection =
            CheckStage(program.dag->stage(i), symbols.stages[i], target)) {
      return rejection;
    }
  }
  for (int i = 0; i < size; ++i) {
    const StageSymbols& stage = symbols.stages[i];
    if (!is_chosen(i) || program.stages[i].at_stage < 0) continue;
    if (IsRecomputedTooOften(
            program.dag->stage(i),
            program.buffers[program.stages[i].buffer].is_reordered,
            static_cast<double>(stage.executions) *
                static_cast<double>(stage.region_elements))) {
      return Rejection::kRecomputation;
    }
  }
  for (int i = 0; i < size; ++i) {
    if (!is_chosen(i)) continue;
    if (std::optional<Rejection> rejection =
            CheckBlocks(program, i, symbols.stages[i], target)) {
      return rejection;
    }
  }
  return std::nullopt;
}

std::optional<Rejection> CheckLimits(const Program& program,
                                     const TargetSpec& target) {
  ProgramSymbols symbols;
  ExtractSymbols(program, symbols);
  return CheckLimits(program, symbols, target);
}

}  // namespace pruner
