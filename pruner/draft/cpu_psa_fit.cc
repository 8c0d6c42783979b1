#include "pruner/draft/cpu_psa_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/log/check.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// Of the squared mean error of a task.
constexpr double kLevel = 0.25;
// Of the squared logarithm of what a weight was multiplied by.
constexpr double kReluctance = 3e-4;
// Steps multiply or divide a weight, at first by so much; when no step helps
// they become smaller.
constexpr double kFirstStep = 2, kLastStep = 1.05;

// Of errors, logarithms, with weights.
struct Moments {
  double weight = 0, sum = 0, squares = 0;

  void Add(double error, double by) {
    weight += by;
    sum += by * error;
    squares += by * error * error;
  }
  double Loss() const {
    const double mean = sum / weight;
    return squares / weight - mean * mean + kLevel * mean * mean;
  }
};

}  // namespace

void CpuPsaFit::Add(int task, const Program& program, const TargetSpec& target,
                    double seconds) {
  CHECK_GT(seconds, 0);
  thread_local CpuSymbolExtractor extractor;
  int num_statements = 0;
  for (const CpuSymbols& symbols : extractor.Extract(program, target)) {
    statements_.push_back(
        {.costs = StatementCosts(symbols, target), .cores = symbols.cores});
    ++num_statements;
  }
  programs_.push_back(
      {.task = task,
       .log_cycles = std::log(seconds * GigaHertzOf(target) * 1e9),
       .weight = 1 / seconds,
       .parallel = ParallelCosts(program, target),
       .num_statements = num_statements});
  num_tasks_ = std::max(num_tasks_, task + 1);
}

double CpuPsaFit::Loss(const CpuWeights& weights, const CpuWeights& start,
                       std::optional<int> left_out) const {
  std::vector<Moments> tasks(num_tasks_);
  const Statement* statement = statements_.data();
  for (const Timed& program : programs_) {
    const Statement* const end = statement + program.num_statements;
    if (program.task == left_out) {
      statement = end;
      continue;
    }
    double cycles = CyclesOf(program.parallel, weights);
    for (; statement != end; ++statement)
      cycles += CyclesOf(statement->costs, weights) / statement->cores;
    // What does nothing at all still takes some time.
    tasks[program.task].Add(
        std::log(std::max(cycles, 1.0)) - program.log_cycles, program.weight);
  }
  double loss = 0, num_tasks = 0;
  for (const Moments& task : tasks) {
    if (task.weight == 0) continue;
    loss += task.Loss();
    ++num_tasks;
  }
  loss /= std::max(num_tasks, 1.0);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (start[i] == 0) continue;
    const double change = std::log(weights[i] / start[i]);
    loss += kReluctance * change * change;
  }
  return loss;
}

CpuWeights CpuPsaFit::Fit(const CpuWeights& start,
                          std::optional<int> left_out) const {
  CpuWeights best = start;
  double least = Loss(best, start, left_out);
  for (double step = kFirstStep; step > kLastStep;) {
    bool is_better = false;
    for (size_t i = 0; i < best.size(); ++i) {
      if (best[i] == 0) continue;
      for (const double factor : {step, 1 / step}) {
        CpuWeights next = best;
        next[i] *= factor;
        const double loss = Loss(next, start, left_out);
        if (loss >= least) continue;
        least = loss;
        best = next;
        is_better = true;
        break;
      }
    }
    if (!is_better) step = std::sqrt(step);
  }
  return best;
}

}  // namespace pruner
