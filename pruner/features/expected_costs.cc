#include "pruner/features/expected_costs.h"

#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/footprints.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

void ExpectedCosts::Compute(const Program& program,
                            const Footprints& footprints,
                            const TargetSpec& target) {
  statements_.assign(program.statements.size(), {});
  stages_.assign(program.statements.size(), 0);
  stage_cycles_.assign(program.stages.size(), 0);
  program_cycles_ = 0;
  if (target.HasThreads()) return;
  program_cycles_ = CyclesOf(ParallelCosts(program, target));
  for (const CpuSymbols& symbols :
       symbols_.Extract(program, footprints, target)) {
    CpuCosts& costs = statements_[symbols.statement];
    costs = StatementCosts(symbols, target);
    for (double& cost : costs) cost /= symbols.cores;
    const int stage = program.statements[symbols.statement].stage;
    stages_[symbols.statement] = stage;
    const double cycles = CyclesOf(costs);
    stage_cycles_[stage] += cycles;
    program_cycles_ += cycles;
  }
}

ExpectedCost ExpectedCosts::Of(int statement) const {
  return {.statement = statements_[statement],
          .stage = stage_cycles_[stages_[statement]],
          .program = program_cycles_};
}

}  // namespace pruner
