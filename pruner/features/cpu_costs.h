// What statements take on a core and parallel loops on all, of the abstraction
// of CPUs (docs/algorithms.md E3): for the draft model, which adds it up, and
// as columns of the learned ones.
#ifndef PRUNER_FEATURES_CPU_COSTS_H_
#define PRUNER_FEATURES_CPU_COSTS_H_

#include <array>

#include "absl/strings/string_view.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// What time is spent on, each a penalty that an ablation can leave out.
enum class CpuCost {
  // Of these only the largest counts: a core does them at the same time.
  kOperations,  // of vectors, on the pipes of FMAs
  kLoads,       // of vectors, broadcast numbers and what was spilled
  kStores,
  kLatency,  // of an FMA, where all bodies add to too few accumulators
  // These come on top.
  kSpills,              // of accumulators beyond the registers
  kUnrolledReductions,  // loads of all steps at once want more registers
  kLongBodies,          // and so does much code without a loop
  kPasses,              // accumulators loaded and stored again and again
  kAliased,             // in each body, as the compiler cannot keep them
  kGathers,
  kGuards,
  kIterations,  // of the loop around the body
  // Memory's, beside all that: together they take the root of the sum of the
  // squares.
  kL2,             // lines from there to L1
  kLlc,            // from the shared cache to L2
  kFarLlc,         // those of them that no prefetcher foresees
  kMemory,         // from memory to the shared cache
  kReadConflicts,  // lines that drive each other out of a set of L1
  kWriteConflicts,
  // These come on top of both.
  kAwaited,  // lines from memory that nothing asked for before
  // Once each.
  kStarts,  // of parallel loops
  kChunks,  // of them
  // And this divides what a statement takes: cores that wait for others.
  kBalance,
};
inline constexpr int kCpuCosts = static_cast<int>(CpuCost::kBalance) + 1;

// Such as "read conflicts".
absl::string_view CpuCostName(CpuCost cost);

// In cycles of a core, before they are weighed; 0 for kBalance.
using CpuCosts = std::array<double, kCpuCosts>;

// How much of each cost is left beside the others, by CpuCost; that of kBalance
// says nothing.
using CpuWeights = std::array<double, kCpuCosts>;

// Fitted to timings (docs/algorithms.md E3).
extern const CpuWeights kCpuWeights;

// Of one statement, on one core.
CpuCosts StatementCosts(const CpuSymbols& symbols, const TargetSpec& target);

// Of the program's parallel loops: their starts and chunks.
CpuCosts ParallelCosts(const Program& program, const TargetSpec& target);

// Weighed and put together, in cycles.
double CyclesOf(const CpuCosts& costs, const CpuWeights& weights = kCpuWeights);

// Of the target's cores, as they compute.
double GigaHertzOf(const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_FEATURES_CPU_COSTS_H_
