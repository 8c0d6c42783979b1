#include "models/job/network_outcome.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "models/runtime/default_schedules.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

const char* EndName(TuningEnd end) {
  constexpr const char* kEnds[] = {"trials_done", "exhausted", "plateau",
                                   "time_limit", "interrupted"};
  return kEnds[static_cast<int>(end)];
}

void SummarizeRun(const TuneOptions& options, const TargetSpec& target,
                  const TuningOutcome& outcome, proto::Summary& summary) {
  summary.set_target(target.name);
  summary.set_threads(static_cast<int>(target.units.cores));
  summary.set_policy(options.policy);
  summary.set_scheduler(options.scheduler);
  summary.set_seed(static_cast<double>(options.seed));
  summary.set_peak_gflops(target.peaks.fp32_gflops);
  summary.set_trials(static_cast<int>(outcome.trials));
  summary.set_new_trials(static_cast<int>(outcome.new_trials));
  const double elapsed = absl::ToDoubleSeconds(outcome.elapsed);
  summary.set_elapsed_seconds(elapsed);
  summary.set_trials_per_second(
      elapsed > 0 ? static_cast<double>(outcome.new_trials) / elapsed : 0);
  if (elapsed > 0) {
    const auto share = [&](absl::Duration part) {
      return absl::ToDoubleSeconds(part) / elapsed;
    };
    summary.set_tuner_overhead(1 - share(outcome.measuring));
    summary.set_proposing_share(share(outcome.proposing));
    summary.set_training_share(share(outcome.training));
  }
  summary.set_ended(EndName(outcome.end));
}

void AddTrials(const TaskOutcome& found, proto::TaskSummary& out,
               proto::Summary& summary) {
  out.set_trials(out.trials() + static_cast<int>(found.records.trials));
  for (const auto& [kind, count] : found.records.failures) {
    const std::string name(FailureKindName(kind));
    (*out.mutable_failures())[name] += static_cast<int>(count);
    (*summary.mutable_failures())[name] += static_cast<int>(count);
  }
  for (const auto& [reason, count] : found.rejections)
    (*out.mutable_rejections())[reason] += static_cast<int>(count);
}

// Adds what was found for one formulation to its subgraph and to the whole.
void AddFormulation(const NetworkTask& task, const TaskOutcome& found,
                    proto::Summary& summary) {
  proto::TaskSummary& out = *summary.mutable_tasks(task.subgraph);
  AddTrials(found, out, summary);
  if (task.error)
    (*out.mutable_formulation_error())[task.formulation] = *task.error;
  if (found.default_seconds && task.formulation == kDirect)
    out.set_default_ms(*found.default_seconds * 1e3);
  if (found.drafted && task.formulation == out.formulation())
    out.set_estimated_ms(found.drafted->seconds * 1e3);
  if (!found.records.best) return;
  const double ms = Cost(found.records.best->result) * 1e3;
  (*out.mutable_formulation_ms())[task.formulation] = ms;
  if (task.formulation != out.formulation()) return;
  out.set_best_ms(ms);
  out.set_mean_ms(MeanSeconds(found.records.best->result) * 1e3);
}

// From the times of the tasks.
void AddRates(proto::Summary& summary) {
  double gflop = 0;
  for (proto::TaskSummary& task : *summary.mutable_tasks()) {
    gflop += task.gflop() * task.weight();
    if (task.best_ms() == 0) continue;
    task.set_gflops(task.gflop() / task.best_ms() * 1e3);
    task.set_peak_fraction(task.gflops() / summary.peak_gflops());
  }
  summary.set_network_gflop(gflop);
}

// What the kernels take together, one after the other.
double PredictedMs(const proto::Summary& summary) {
  double sum = 0;
  for (const proto::TaskSummary& task : summary.tasks()) {
    if (task.mean_ms() == 0) return 0;
    sum += task.weight() * task.mean_ms();
  }
  return sum;
}

}  // namespace

std::vector<TuningTask> TuningTasks(absl::Span<const NetworkJob> jobs) {
  std::vector<TuningTask> tasks;
  int slots = 0, network = 0;
  for (const NetworkJob& job : jobs) {
    for (const NetworkTask& task : job.tasks) {
      tasks.push_back({.workload = task.workload,
                       .weight = static_cast<double>(task.weight),
                       .slot = slots + task.subgraph,
                       .network = network,
                       .measure_policy = job.measure_policy});
    }
    slots += static_cast<int>(job.partition.subgraphs.size());
    ++network;
  }
  return tasks;
}

absl::StatusOr<NetworkOutcome> OutcomeOf(const NetworkJob& job,
                                         absl::Span<const TaskOutcome> found) {
  NetworkOutcome outcome;
  ASSIGN_OR_RETURN(outcome.defaults, DefaultSchedules(job.tasks, job.target));
  outcome.best = outcome.defaults;
  std::map<WorkloadKey, double> seconds;
  for (const TaskOutcome& task : found) {
    if (task.records.best) {
      outcome.best[task.workload] = task.records.best->schedule;
      seconds[task.workload] = Cost(task.records.best->result);
    } else if (task.drafted) {
      outcome.best[task.workload] = task.drafted->schedule;
      seconds[task.workload] = task.drafted->seconds;
    }
  }
  outcome.winners =
      FastestTasks(job.tasks, seconds, job.measure_policy, job.target);
  return outcome;
}

NetworkOutcome WithDefaults(const NetworkJob& job,
                            const NetworkOutcome& outcome) {
  return {
      .winners = FastestTasks(job.tasks, {}, job.measure_policy, job.target),
      .best = outcome.defaults,
      .defaults = outcome.defaults};
}

TunedNetwork ToTunedNetwork(const NetworkJob& job,
                            const NetworkOutcome& outcome,
                            absl::Span<const TaskOutcome> found) {
  TunedNetwork network = {.model = job.model,
                          .batch = job.batch,
                          .graph = job.original,
                          .target = job.target,
                          .kernels = {}};
  for (const NetworkTask& task : outcome.winners) {
    TunedKernel& kernel = network.kernels.emplace_back();
    kernel.name = task.workload.name;
    kernel.formulation = task.formulation;
    kernel.workload = task.workload.key;
    kernel.schedule = outcome.best.at(kernel.workload);
    for (const TaskOutcome& result : found) {
      if (result.workload != kernel.workload) continue;
      const auto& best = result.records.best;
      const auto& drafted = result.drafted;
      if (best && best->schedule == kernel.schedule) {
        kernel.seconds = Cost(best->result);
      } else if (drafted && drafted->schedule == kernel.schedule) {
        kernel.estimated_seconds = drafted->seconds;
      } else if (result.default_seconds) {
        kernel.seconds = *result.default_seconds;
      }
    }
  }
  return network;
}

proto::Summary SummaryOf(const TuneOptions& options, const NetworkJob& job,
                         const NetworkOutcome& outcome,
                         absl::Span<const TaskOutcome> found,
                         const TuningOutcome& whole) {
  proto::Summary summary;
  SummarizeRun(options, job.target, whole, summary);
  summary.set_model(job.model);
  summary.set_batch(static_cast<int>(job.batch));
  for (const NetworkTask& task : outcome.winners) {
    proto::TaskSummary& out = *summary.add_tasks();
    out.set_name(task.workload.name);
    out.set_operators(task.summary);
    out.set_weight(task.weight);
    out.set_gflop(task.flops * 1e-9);
    out.set_formulation(task.formulation);
  }
  for (size_t i = 0; i < job.tasks.size(); ++i)
    AddFormulation(job.tasks[i], found[i], summary);
  AddRates(summary);
  summary.set_measure_policy(
      std::string(MeasurePolicyName(job.measure_policy)));
  summary.set_predicted_latency_ms(PredictedMs(summary));
  return summary;
}

proto::Summary SummaryOfPipeline(const TuneOptions& options,
                                 const TargetSpec& target,
                                 const TuningTask& task,
                                 const TuningOutcome& outcome) {
  proto::Summary summary;
  SummarizeRun(options, target, outcome, summary);
  summary.set_model(options.pipeline);
  summary.set_batch(1);
  const TaskOutcome& found = outcome.tasks[0];
  proto::TaskSummary& out = *summary.add_tasks();
  out.set_name(task.workload.name);
  out.set_operators(absl::StrCat(task.workload.dag.size(), " stages"));
  out.set_weight(1);
  out.set_gflop(static_cast<double>(task.Flops()) * 1e-9);
  summary.set_measure_policy(
      std::string(MeasurePolicyName(task.measure_policy)));
  AddTrials(found, out, summary);
  if (found.default_seconds) out.set_default_ms(*found.default_seconds * 1e3);
  if (found.drafted) out.set_estimated_ms(found.drafted->seconds * 1e3);
  if (found.records.best)
    out.set_best_ms(Cost(found.records.best->result) * 1e3);
  AddRates(summary);
  return summary;
}

}  // namespace pruner
