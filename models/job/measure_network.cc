#include "models/job/measure_network.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "models/runtime/network_tensors.h"
#include "models/runtime/verify.h"
#include "models/runtime/verify_kernels.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

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

NetworkOptions OptionsOf(const NetworkJob& job) {
  const int threads = static_cast<int>(job.target.units.cores);
  return {.threads = threads, .compile_threads = threads, .progress = {}};
}

// Compares what each kernel writes; the first one that is wrong is named.
absl::Status CheckKernels(const NetworkJob& job, const NetworkOutcome& outcome,
                          uint64_t seed, Network& tuned,
                          proto::Summary& summary) {
  for (const NetworkInputs inputs : kAllNetworkInputs) {
    ASSIGN_OR_RETURN(
        const std::vector<KernelError> errors,
        CompareKernels(job.graph, job.partition, outcome.winners, inputs, tuned,
                       {.seed = seed, .threads = OptionsOf(job).threads}));
    const auto wrong =
        std::find_if(errors.begin(), errors.end(),
                     [](const KernelError& error) { return error.is_wrong(); });
    if (wrong == errors.end()) continue;
    summary.set_wrong_kernel(wrong->kernel);
    return absl::InternalError(absl::StrCat(
        "a kernel of the tuned network is wrong: what ", wrong->kernel,
        ", number ", wrong->step, " of them, writes with ",
        NetworkInputsName(inputs), " differs from double precision by ",
        wrong->relative, " of its largest value, most at element ",
        wrong->element, "; rounding explains ", wrong->tolerance));
  }
  return absl::OkStatus();
}

// The tuned network; the summary is told how far its output is off.
absl::StatusOr<Network> BuildTuned(const NetworkJob& job,
                                   const NetworkOutcome& outcome, uint64_t seed,
                                   const TuneCallbacks& callbacks,
                                   proto::Summary& summary) {
  callbacks.say("compiling the tuned network");
  ASSIGN_OR_RETURN(Network tuned,
                   Network::Build(job.graph, job.partition, outcome.winners,
                                  outcome.best, job.target, OptionsOf(job)));
  callbacks.say(
      "comparing its kernels' outputs with the interpreter's in double "
      "precision");
  ASSIGN_OR_RETURN(const std::vector<OutputError> errors,
                   CompareWithInterpreter(job.original, tuned, seed,
                                          OptionsOf(job).threads));
  for (const OutputError& error : errors) {
    summary.set_max_abs_error(
        std::max(summary.max_abs_error(), error.max_absolute));
    summary.set_max_rel_error(
        std::max(summary.max_rel_error(), error.relative));
  }
  RETURN_IF_ERROR(CheckKernels(job, outcome, seed, tuned, summary));
  return tuned;
}

absl::Status CheckErrors(const proto::Summary& summary) {
  // Reordered sums of floats, and formulations whose own error is smaller; a
  // kernel that is wrong anywhere gives far more.
  constexpr double kTolerance = 1e-3;
  if (summary.max_rel_error() <= kTolerance) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the tuned network's output is wrong: it differs from the "
                   "interpreter's by ",
                   summary.max_rel_error(), " of its largest value"));
}

}  // namespace

absl::Status CheckNetwork(const NetworkJob& job, const NetworkOutcome& outcome,
                          uint64_t seed, const TuneCallbacks& callbacks,
                          proto::Summary& summary) {
  RETURN_IF_ERROR(BuildTuned(job, outcome, seed, callbacks, summary).status());
  return CheckErrors(summary);
}

absl::Status MeasureNetworks(const NetworkJob& job,
                             const NetworkOutcome& outcome, uint64_t seed,
                             const TuneCallbacks& callbacks,
                             proto::Summary& summary) {
  ASSIGN_OR_RETURN(Network tuned,
                   BuildTuned(job, outcome, seed, callbacks, summary));
  callbacks.say(
      "compiling the same network with default schedules, to compare");
  ASSIGN_OR_RETURN(
      Network baseline,
      Network::Build(
          job.graph, job.partition,
          FastestTasks(job.tasks, {}, job.measure_policy, job.target),
          outcome.defaults, job.target, OptionsOf(job)));
  ASSIGN_OR_RETURN(const std::vector<Latency> latencies,
                   TimeInTurns(tuned, baseline));
  const Latency& latency = latencies[0];
  summary.set_network_latency_ms(latency.Median() * 1e3);
  summary.set_network_latency_min_ms(latency.Min() * 1e3);
  summary.set_baseline_latency_ms(latencies[1].Median() * 1e3);
  summary.set_network_gflops(summary.network_gflop() / latency.Median());
  summary.set_network_peak_fraction(summary.network_gflops() /
                                    summary.peak_gflops());
  return CheckErrors(summary);
}

}  // namespace pruner
