// The analytic draft model of CPUs: PSA's idea (docs/algorithms.md B2) on the
// abstraction of E3. What each statement asks of a core, of its caches and of
// memory is counted (CpuSymbols), and charged at what the target's units were
// measured to do (CpuCosts).
#ifndef PRUNER_DRAFT_CPU_PSA_H_
#define PRUNER_DRAFT_CPU_PSA_H_

#include <vector>

#include "pruner/draft/draft_model.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Of targets without threads. Thread-safe: each thread has its own memory.
class CpuPsa : public DraftModel {
 public:
  explicit CpuPsa(const std::vector<CpuCost>& without = {},
                  const CpuWeights& weights = kCpuWeights);

  // The inverse of the estimated seconds.
  double Score(const Program& program, const TargetSpec& target) const override;

  // As the model weighs them.
  double Cycles(const CpuCosts& costs) const {
    return CyclesOf(costs, weights_);
  }

 private:
  CpuWeights weights_;  // 0 for what is left out
  bool is_balanced_ = true;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_CPU_PSA_H_
