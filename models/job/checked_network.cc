#include "models/job/checked_network.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/job/network_check.pb.h"
#include "models/job/network_checker.h"
#include "models/ops/formulation.h"
#include "models/ops/tasks.h"
#include "models/runtime/tuned_network.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

absl::StatusOr<proto::NetworkCheckResult> Ask(
    const TuneOptions& options, const TuneCallbacks& callbacks,
    OutputFolder& folder, const TunedNetwork& network,
    proto::NetworkCheckRequest request) {
  ASSIGN_OR_RETURN(const std::string scratch, folder.scratch());
  const std::string file = absl::StrCat(scratch, "/network");
  RETURN_IF_ERROR(WriteFileAtomically(
      file,
      SerializeTunedNetwork(
          network, {.embedded = false, .file = ModelFile(network.model)})));
  request.set_tuned_network(file);
  request.set_seed(options.seed);
  absl::StatusOr<proto::NetworkCheckResult> result =
      CheckNetworkApart(request, {.command = options.checker_command,
                                  .say = callbacks.say,
                                  .interrupted = callbacks.interrupted});
  RETURN_IF_ERROR(RemoveFile(file));
  return result;
}

// Whether the task can be used; says why if not.
bool TakeOver(const proto::NetworkCheckResult::Formulation& found,
              const TuneCallbacks& callbacks, NetworkTask& task) {
  if (found.problem().empty()) {
    task.error = found.error();
    return true;
  }
  callbacks.say(absl::StrCat("the formulation ", task.formulation, " of ",
                             task.workload.name,
                             " takes no part: ", found.problem()));
  return false;
}

absl::Status CheckEachHasOne(const NetworkJob& job) {
  std::vector<int> tasks(job.partition.subgraphs.size());
  for (const NetworkTask& task : job.tasks) ++tasks[task.subgraph];
  const auto none = std::find(tasks.begin(), tasks.end(), 0);
  if (none == tasks.end()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      "no formulation of kernel ", none - tasks.begin(), " of ", job.model,
      " can be used, for the reasons above: this is a bug; please report it"));
}

void AddTo(proto::Summary& summary, const proto::NetworkCheckResult& result) {
  summary.set_max_abs_error(result.max_abs_error());
  summary.set_max_rel_error(result.max_rel_error());
  summary.set_wrong_kernel(result.wrong_kernel());
  summary.set_kept_default(result.keeps_default());
  if (!result.has_tuned()) return;
  const double seconds = result.tuned().median_seconds();
  summary.set_network_latency_ms(seconds * 1e3);
  summary.set_network_latency_min_ms(result.tuned().min_seconds() * 1e3);
  summary.set_baseline_latency_ms(result.baseline().median_seconds() * 1e3);
  summary.set_network_gflops(summary.network_gflop() / seconds);
  summary.set_network_peak_fraction(summary.network_gflops() /
                                    summary.peak_gflops());
}

}  // namespace

absl::Status CheckFormulations(const TuneOptions& options,
                               const TuneCallbacks& callbacks,
                               OutputFolder& folder, NetworkJob& job) {
  ASSIGN_OR_RETURN(const FormulationOptions formulations,
                   ParseFormulations(options.formulations, options.max_error));
  proto::NetworkCheckRequest request;
  request.set_what(proto::NetworkCheckRequest::FORMULATIONS);
  request.set_max_error(formulations.max_error);
  request.mutable_formulations()->Assign(formulations.names.begin(),
                                         formulations.names.end());
  const TunedNetwork network = {.model = job.model,
                                .batch = job.batch,
                                .graph = job.original,
                                .target = job.target,
                                .kernels = {}};
  const absl::StatusOr<proto::NetworkCheckResult> result =
      Ask(options, callbacks, folder, network, std::move(request));
  if (absl::IsCancelled(result.status())) return absl::OkStatus();
  RETURN_IF_ERROR(result.status());
  std::map<WorkloadKey, const proto::NetworkCheckResult::Formulation*> checks;
  for (const auto& found : result->formulations())
    checks[WorkloadKey{found.workload()}] = &found;
  std::vector<NetworkTask> usable;
  for (NetworkTask& task : job.tasks) {
    const auto found = checks.find(task.workload.key);
    if (found == checks.end() || TakeOver(*found->second, callbacks, task))
      usable.push_back(std::move(task));
  }
  job.tasks = std::move(usable);
  return CheckEachHasOne(job);
}

absl::StatusOr<NetworkOutcome> CheckedOutcome(
    const TuneOptions& options, const TuneCallbacks& callbacks,
    OutputFolder& folder, const NetworkJob& job, const NetworkOutcome& outcome,
    absl::Span<const TaskOutcome> found, proto::Summary& summary) {
  proto::NetworkCheckRequest request;
  request.set_what(options.trials == 0 ? proto::NetworkCheckRequest::VERIFY
                                       : proto::NetworkCheckRequest::MEASURE);
  ASSIGN_OR_RETURN(
      const proto::NetworkCheckResult result,
      Ask(options, callbacks, folder, ToTunedNetwork(job, outcome, found),
          std::move(request)));
  AddTo(summary, result);
  if (!result.problem().empty()) return absl::InternalError(result.problem());
  return result.keeps_default() ? WithDefaults(job, outcome) : outcome;
}

}  // namespace pruner
