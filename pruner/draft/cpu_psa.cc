#include "pruner/draft/cpu_psa.h"

#include <vector>

#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

CpuPsa::CpuPsa(const std::vector<CpuCost>& without, const CpuWeights& weights)
    : weights_(weights) {
  for (const CpuCost cost : without) {
    weights_[static_cast<int>(cost)] = 0;
    if (cost == CpuCost::kBalance) is_balanced_ = false;
  }
}

double CpuPsa::Score(const Program& program, const TargetSpec& target) const {
  thread_local CpuSymbolExtractor extractor;
  double cycles = Cycles(ParallelCosts(program, target));
  for (const CpuSymbols& symbols : extractor.Extract(program, target)) {
    const double cores =
        is_balanced_ ? symbols.cores : static_cast<double>(target.units.cores);
    cycles += Cycles(StatementCosts(symbols, target)) / cores;
  }
  return cycles > 0 ? GigaHertzOf(target) * 1e9 / cycles : 0;
}

}  // namespace pruner
