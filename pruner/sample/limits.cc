#include "pruner/sample/limits.h"

#include <cstdint>

#include "pruner/analysis/program_symbols.h"
#include "pruner/sample/tile_sizes.h"

namespace pruner {
namespace {

// Cores that idle while the last round of parallel iterations runs may cost
// this much.
constexpr double kMaxImbalance = 1.34;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

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
  if (symbols.accumulators > AccumulatorRegisters(target)) {
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
  return std::nullopt;
}

}  // namespace pruner
