// The analytic draft model of CPUs: PSA's idea (docs/algorithms.md B2) on the
// abstraction of E3. What each statement asks of a core, of its caches and of
// memory is counted (CpuSymbols), and charged at what the target's units were
// measured to do.
#ifndef PRUNER_DRAFT_CPU_PSA_H_
#define PRUNER_DRAFT_CPU_PSA_H_

#include <array>
#include <vector>

#include "absl/strings/string_view.h"
#include "pruner/draft/draft_model.h"
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

// Of targets without threads. Thread-safe: each thread has its own memory.
class CpuPsa : public DraftModel {
 public:
  explicit CpuPsa(const std::vector<CpuCost>& without = {},
                  const CpuWeights& weights = kCpuWeights);

  // The inverse of the estimated seconds.
  double Score(const Program& program, const TargetSpec& target) const override;

  // Of one statement, on one core.
  static CpuCosts CostsOf(const CpuSymbols& symbols, const TargetSpec& target);
  // Of the program's parallel loops: their starts and chunks.
  static CpuCosts ParallelCosts(const Program& program,
                                const TargetSpec& target);
  // Weighed and put together, in cycles.
  double Cycles(const CpuCosts& costs) const { return Cycles(costs, weights_); }
  static double Cycles(const CpuCosts& costs, const CpuWeights& weights);
  // Of the target's cores, as they compute.
  static double GigaHertz(const TargetSpec& target);

 private:
  CpuWeights weights_;  // 0 for what is left out
  bool is_balanced_ = true;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_CPU_PSA_H_
