#include "tools/curves/tuning_curve.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "models/job/find_network.h"
#include "models/job/network_job.h"
#include "models/job/network_outcome.h"
#include "models/job/summary.h"
#include "models/job/tune_options.h"
#include "models/ops/formulation.h"
#include "models/runtime/tuned_network.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/run_info.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/convergence.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/scheduler_table.h"
#include "pruner/tune/tuning_task.h"
#include "tools/common/log_path.h"

namespace pruner {
namespace {

// Options that change which candidates are measured or how, with what they are
// in a log that does not say, or were as long as runs did not say; others say
// where to, or how long.
struct TellingOption {
  const char* name;
  std::string usual;
  // What it was when logs did not say it.
  absl::string_view unsaid;
};

// What networks, which are tuned for CPUs, have by default.
std::string UsualPretrained(absl::string_view cost_model) {
  CostModelOptions options;
  options.name = std::string(cost_model);
  options.pretrained = kAutoPretrained;
  return ResolvePretrained(TargetSpec(), options).pretrained;
}

std::vector<TellingOption> TellingOptions(const std::string& policy) {
  std::vector<TellingOption> options = {
      {"sampling", "hardware", "hardware"},
      {"scheduler", kDefaultScheduler, kRoundRobin},
      {"measure_policy", kAutoPolicy, kAutoPolicy},
      {"formulations", "", ""}};
  const auto entry = FindPolicy(policy);
  if (entry.ok() && (*entry)->needs_cost_model) {
    const absl::string_view model = (*entry)->usual_cost_model;
    options.push_back({"cost_model", std::string(model), "gbdt"});
    options.push_back({"pretrained", UsualPretrained(model), kNoPretrained});
  }
  return options;
}

// All tasks that the search may have had: what it did not measure does not
// count.
absl::StatusOr<NetworkJob> JobOf(const TunedNetwork& network,
                                 const RunInfo& run) {
  ASSIGN_OR_RETURN(
      NetworkJob job,
      MakeNetworkJob(network.model, network.batch, network.graph,
                     network.target,
                     {.max_error = 1, .names = FormulationNames()}));
  const std::string policy = run.Option("measure_policy");
  if (policy.empty() || policy == kAutoPolicy) return job;
  ASSIGN_OR_RETURN(job.measure_policy, ParseMeasurePolicy(policy));
  return job;
}

absl::StatusOr<RunInfo> OnlyKindOfRun(const LogContents& log) {
  if (log.runs.empty())
    return absl::InvalidArgumentError("its log does not tell of any run");
  const RunInfo& first = log.runs.begin()->second.info;
  for (const auto& [id, run] : log.runs) {
    if (LabelOf(run.info) == LabelOf(first) && run.info.seed == first.seed)
      continue;
    return absl::InvalidArgumentError(
        absl::StrCat("its log has runs of '", LabelOf(first), "', seed ",
                     first.seed, ", and of '", LabelOf(run.info), "', seed ",
                     run.info.seed, ": a curve is of one"));
  }
  return first;
}

// Of the only network of its run, or of one of several.
absl::StatusOr<proto::Summary> ReadSummary(const std::string& folder,
                                           const std::string& network) {
  absl::StatusOr<std::string> json =
      ReadFile(absl::StrCat(folder, "/", SummaryFile(network, 2)));
  if (!json.ok())
    json = ReadFile(absl::StrCat(folder, "/", SummaryFile(network, 1)));
  RETURN_IF_ERROR(json.status());
  return SummaryFromJson(*json);
}

absl::StatusOr<TuningCurve> ReadFrom(const std::string& folder,
                                     const std::string& model) {
  ASSIGN_OR_RETURN(const TunedNetwork network,
                   FindTunedNetwork(folder, model, ""));
  ASSIGN_OR_RETURN(const LogContents log, ReadRecordLog(RecordLogPath(folder)));
  ASSIGN_OR_RETURN(const RunInfo run, OnlyKindOfRun(log));
  ASSIGN_OR_RETURN(const NetworkJob job, JobOf(network, run));
  ASSIGN_OR_RETURN(const proto::Summary summary, ReadSummary(folder, job.name));
  const std::vector<TuningTask> tasks = TuningTasks({job});
  TuningCurve curve = {
      .network = job.name,
      .label = LabelOf(run),
      .seed = run.seed,
      .points = ConvergenceOf(
          DistinctTasksOf(tasks, TargetKeyOf(network.target)).tasks, log),
      .proposing_share = summary.proposing_share(),
      .training_share = summary.training_share()};
  if (curve.points.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its log has no trials that ran for some task of ", job.name));
  }
  return curve;
}

}  // namespace

std::optional<absl::Duration> TuningCurve::TimeTo(
    double network_seconds) const {
  for (const ConvergencePoint& point : points) {
    if (point.network_seconds <= network_seconds) return point.elapsed;
  }
  return std::nullopt;
}

std::string LabelOf(const RunInfo& run) {
  std::string options;
  for (const TellingOption& option : TellingOptions(run.policy)) {
    const std::string said = run.Option(option.name);
    const absl::string_view value = said.empty() ? option.unsaid : said;
    if (value != option.usual)
      absl::StrAppend(&options, " --", option.name, "=", value);
  }
  return options.empty() ? run.policy : absl::StrCat(run.policy, ",", options);
}

absl::StatusOr<TuningCurve> ReadTuningCurve(const std::string& folder,
                                            const std::string& model) {
  absl::StatusOr<TuningCurve> curve = ReadFrom(folder, model);
  if (curve.ok()) return curve;
  return absl::Status(curve.status().code(),
                      absl::StrCat(folder, ": ", curve.status().message()));
}

std::vector<std::vector<TuningCurve>> ByLabel(std::vector<TuningCurve> curves) {
  std::vector<std::vector<TuningCurve>> groups;
  for (TuningCurve& curve : curves) {
    auto group = std::find_if(
        groups.begin(), groups.end(),
        [&](const auto& existing) { return existing[0].label == curve.label; });
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->push_back(std::move(curve));
  }
  return groups;
}

}  // namespace pruner
