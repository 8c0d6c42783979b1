// What the abstraction of CPUs expects a program to take, as learned models
// read it beside their other columns: they learn what it does not know.
#ifndef PRUNER_FEATURES_EXPECTED_COSTS_H_
#define PRUNER_FEATURES_EXPECTED_COSTS_H_

#include <vector>

#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/footprints.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// In cycles, divided by the cores that share them.
struct ExpectedCost {
  CpuCosts statement = {};  // each before it is weighed
  double stage = 0;         // all statements of the stage together
  double program = 0;       // all there are, and the starts of parallel loops
};

// Keeps its memory from call to call. Not thread-safe.
class ExpectedCosts {
 public:
  // Of targets with threads nothing is expected: all of it is 0.
  void Compute(const Program& program, const Footprints& footprints,
               const TargetSpec& target);

  // Of a statement of that program that is no stream.
  ExpectedCost Of(int statement) const;

 private:
  CpuSymbolExtractor symbols_;
  std::vector<CpuCosts> statements_;  // by statement; of streams 0
  std::vector<int> stages_;           // by statement
  std::vector<double> stage_cycles_;
  double program_cycles_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_EXPECTED_COSTS_H_
