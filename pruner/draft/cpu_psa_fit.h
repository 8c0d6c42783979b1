// Fits CpuPsa's weights to programs that were timed.
#ifndef PRUNER_DRAFT_CPU_PSA_FIT_H_
#define PRUNER_DRAFT_CPU_PSA_FIT_H_

#include <optional>
#include <vector>

#include "pruner/features/cpu_costs.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

class CpuPsaFit {
 public:
  // `seconds` is what a program of this task took, more than 0.
  void Add(int task, const Program& program, const TargetSpec& target,
           double seconds);

  // Weights with which the model errs less than with `start`, in which nothing
  // that is 0 changes. Of `left_out`, if there is one, the fit sees nothing.
  //
  // Minimized, by steps of one weight at a time, is the mean over tasks of the
  // variance of the estimates' logarithms beside those of the latencies, and a
  // quarter of their squared mean: what matters first is in which order a
  // task's programs are. A program counts by the task's least seconds over its
  // own. What the data hardly says anything of stays close to `start`.
  CpuWeights Fit(const CpuWeights& start,
                 std::optional<int> left_out = std::nullopt) const;

  // What Fit minimizes.
  double Loss(const CpuWeights& weights, const CpuWeights& start,
              std::optional<int> left_out = std::nullopt) const;

 private:
  struct Statement {
    CpuCosts costs;
    double cores;
  };
  struct Timed {
    int task;
    double log_cycles;  // measured
    double weight;      // the inverse of its seconds
    CpuCosts parallel;
    int num_statements;
  };

  int num_tasks_ = 0;
  std::vector<Timed> programs_;
  std::vector<Statement> statements_;  // of one program after the other
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_CPU_PSA_FIT_H_
