#include "models/job/check_network.h"

#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/job/find_network.h"
#include "models/job/network_job.h"
#include "models/job/verify_network.h"
#include "models/ops/tasks.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "models/runtime/network_tensors.h"
#include "models/runtime/tuned_network.h"
#include "models/runtime/verify_formulations.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Say = std::function<void(const std::string&)>;

int Threads(const NetworkJob& job) {
  return static_cast<int>(job.target.units.cores);
}

absl::StatusOr<proto::NetworkCheckResult> CheckFormulations(
    const proto::NetworkCheckRequest& request, const TunedNetwork& network) {
  ASSIGN_OR_RETURN(const NetworkJob job,
                   MakeNetworkJob(network.model, network.batch, network.graph,
                                  network.target,
                                  {.max_error = request.max_error(),
                                   .names = {request.formulations().begin(),
                                             request.formulations().end()}}));
  ASSIGN_OR_RETURN(const SchedulesByWorkload schedules,
                   DefaultSchedules(job.tasks, job.target));
  const std::vector<FormulationCheck> checks =
      VerifyFormulations(job.partition, job.tasks, schedules, job.target,
                         {.seed = request.seed(), .threads = Threads(job)});
  proto::NetworkCheckResult result;
  for (size_t i = 0; i < checks.size(); ++i) {
    auto& formulation = *result.add_formulations();
    formulation.set_workload(job.tasks[i].workload.key.value);
    formulation.set_error(checks[i].error);
    formulation.set_problem(std::string(checks[i].status.message()));
  }
  return result;
}

absl::StatusOr<Network> Build(const NetworkJob& job,
                              absl::Span<const NetworkTask> tasks,
                              const SchedulesByWorkload& schedules) {
  return Network::Build(job.graph, job.partition, tasks, schedules, job.target,
                        {.threads = Threads(job),
                         .compile_threads = Threads(job),
                         .progress = {}});
}

absl::Status Verify(const NetworkJob& job, absl::Span<const NetworkTask> tasks,
                    uint64_t seed, Network& network,
                    proto::NetworkCheckResult& result) {
  ASSIGN_OR_RETURN(const NetworkErrors errors,
                   VerifyNetwork(job, tasks, seed, network));
  result.set_max_abs_error(errors.max_absolute);
  result.set_max_rel_error(errors.max_relative);
  result.set_wrong_kernel(errors.wrong_kernel);
  result.set_problem(errors.problem);
  return absl::OkStatus();
}

// The tuned network's and the baseline's.
absl::StatusOr<std::vector<Latency>> TimeInTurns(Network& tuned,
                                                 Network& baseline) {
  constexpr int kTurns = 8;
  // A network of microseconds is not run a million times.
  constexpr LatencyOptions kTurn = {.warm_up_runs = 1,
                                    .min_samples = 2,
                                    .min_seconds = 0.25,
                                    .max_samples = 2500};
  NetworkTensors tensors(tuned);
  tensors.Randomize(1);
  std::vector<std::function<absl::Status()>> runs;
  for (Network* const network : {&tuned, &baseline}) {
    runs.emplace_back([network, &tensors] {
      return network->Run(tensors.input_pointers(), tensors.output_pointers());
    });
  }
  return MeasureInTurns(runs, kTurns, kTurn);
}

void SetLatency(const Latency& latency,
                proto::NetworkCheckResult::Latency& out) {
  out.set_median_seconds(latency.Median());
  out.set_min_seconds(latency.Min());
}

bool IsSlower(const proto::NetworkCheckResult::Latency& a,
              const proto::NetworkCheckResult::Latency& b) {
  return a.median_seconds() > b.median_seconds() &&
         a.min_seconds() > b.min_seconds();
}

// Beside the network with default schedules, which is verified, too, if it is
// the faster one.
absl::Status Measure(const NetworkJob& job, uint64_t seed, const Say& say,
                     Network& tuned, proto::NetworkCheckResult& result) {
  say("compiling the same network with default schedules, to compare");
  const std::vector<NetworkTask> tasks =
      FastestTasks(job.tasks, {}, job.measure_policy, job.target);
  ASSIGN_OR_RETURN(const SchedulesByWorkload schedules,
                   DefaultSchedules(tasks, job.target));
  ASSIGN_OR_RETURN(Network baseline, Build(job, tasks, schedules));
  say("timing both networks in turns");
  ASSIGN_OR_RETURN(const std::vector<Latency> latencies,
                   TimeInTurns(tuned, baseline));
  SetLatency(latencies[0], *result.mutable_tuned());
  SetLatency(latencies[1], *result.mutable_baseline());
  if (!IsSlower(result.tuned(), result.baseline())) return absl::OkStatus();
  result.set_keeps_default(true);
  say("the tuned network is the slower one: checking the default one");
  return Verify(job, tasks, seed, baseline, result);
}

}  // namespace

absl::StatusOr<proto::NetworkCheckResult> CheckNetwork(
    const proto::NetworkCheckRequest& request, const Say& say) {
  ASSIGN_OR_RETURN(const TunedNetwork tuned,
                   ReadTunedNetwork(request.tuned_network()));
  if (request.what() == proto::NetworkCheckRequest::FORMULATIONS)
    return CheckFormulations(request, tuned);
  say("compiling the tuned network");
  ASSIGN_OR_RETURN(const RebuiltNetwork rebuilt, RebuildNetwork(tuned));
  ASSIGN_OR_RETURN(Network network,
                   Build(rebuilt.job, rebuilt.tasks, rebuilt.schedules));
  say("comparing its kernels' outputs with the interpreter's in double "
      "precision");
  proto::NetworkCheckResult result;
  RETURN_IF_ERROR(
      Verify(rebuilt.job, rebuilt.tasks, request.seed(), network, result));
  if (request.what() == proto::NetworkCheckRequest::MEASURE &&
      result.problem().empty()) {
    RETURN_IF_ERROR(Measure(rebuilt.job, request.seed(), say, network, result));
  }
  return result;
}

}  // namespace pruner
