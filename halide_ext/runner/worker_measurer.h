// The Measurer that compiles and runs for real, in worker processes: candidates
// are compiled by all workers at once, of which one also computes a new
// workload's reference, then timed one by one with the machine to themselves.
#ifndef HALIDE_EXT_RUNNER_WORKER_MEASURER_H_
#define HALIDE_EXT_RUNNER_WORKER_MEASURER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "halide_ext/runner/worker.pb.h"
#include "halide_ext/runner/worker_slot.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measurer.h"
#include "pruner/target/target_spec.h"

namespace pruner {

class WorkerMeasurer : public Measurer {
 public:
  struct Options {
    // Starts a worker: a program whose main begins with RunIfWorker. By default
    // the running program.
    std::vector<std::string> command = {"/proc/self/exe"};
    TargetSpec target = {};
    int workers = 2;    // processes that compile at the same time
    int threads = 2;    // of a candidate that runs
    uint64_t seed = 1;  // of input data
    using Inputs = proto::WorkerRequest::Prepare::Inputs;
    Inputs inputs = proto::WorkerRequest::Prepare::USUAL;
    // Of code for any size the part is compiled that is run here, and the rest
    // left out (OutputSizes): VerifyWinner compiles that, too.
    bool large_outputs_only = false;
    // An existing folder for reference outputs.
    std::string scratch_directory = {};
    // Of computing, so that it does not matter what else the machine does.
    absl::Duration compile_timeout = absl::Seconds(15);
    // One that takes so many times as long as half of its workload's candidates
    // did has failed as well, but not before `min_compile_timeout`: LLVM takes
    // 10 s for a few, which are slow because they are that long, and others a
    // tenth of a second.
    double compile_factor = 10;
    absl::Duration min_compile_timeout = absl::Seconds(1);
    // Large workloads get more: 2 s for each 10^9 operations of one run.
    absl::Duration run_timeout = absl::Seconds(10);
    // Of the reference output, once per workload: code without a schedule. For
    // each 10^9 operations there are 20 s more.
    absl::Duration reference_timeout = absl::Minutes(5);
    // For so long a candidate is tried whose worker somebody ends every time
    // (Retry).
    absl::Duration lost_patience = absl::Seconds(30);
    // Address space of a worker. LLVM and the input data take about 1 GiB. No
    // limit for CUDA, whose driver reserves address space for all memory there
    // is.
    int64_t max_memory_bytes = int64_t{6} << 30;
    // On the host, samples of one run each are taken until there are so many
    // and they add up to so much.
    int min_samples = 5;
    double min_seconds = 0.02;
    // On devices there is one sample, of as many runs as take so long
    // (docs/algorithms.md A10): a start alone takes as long as small kernels.
    double device_seconds = 0.3;
    // A candidate this many times slower than the best of its workload is not
    // timed again.
    double give_up_factor = 2.5;
  };

  // Error: the scratch directory cannot be written; the target's device is not
  // there.
  static absl::StatusOr<std::unique_ptr<WorkerMeasurer>> Create(
      Options options);
  ~WorkerMeasurer() override;

  const Options& options() const { return options_; }

  // Error: Cancelled if it is unwanted; no worker can be started or
  // prepared, the workload has no reference output, or somebody ends one worker
  // after the other. None of that is known of a candidate.
  absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                       absl::Span<const Schedule> schedules,
                       const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override;

  // Why each schedule cannot be compiled, within the limits, for the workload;
  // none where it can. Nothing is run. Error: as Measure.
  absl::StatusOr<std::vector<std::optional<Failure>>> Check(
      const Workload& workload, MeasurePolicy policy,
      absl::Span<const Schedule> schedules, const IsUnwanted& is_unwanted);

  // Times what one of Halide's autoschedulers makes of the workload. `plugin`
  // is the shared library that registers it.
  MeasureResult MeasureAutoscheduler(const Workload& workload,
                                     MeasurePolicy policy,
                                     const std::string& autoscheduler,
                                     const std::string& plugin,
                                     absl::Duration timeout,
                                     const IsUnwanted& is_unwanted);

 private:
  // One candidate on its way from compiling to timing.
  struct Job {
    proto::WorkerRequest compile;
    int slot = -1;
    int generation = -1;  // of the slot when it was compiled
    bool compiled = false;
    double compile_seconds = 0;
    std::optional<Failure> failure;
    absl::Status broken;  // see WorkerSlot::Answer

    bool lost() const {
      return failure && failure->kind == FailureKind::kLostWorker;
    }
  };

  explicit WorkerMeasurer(Options options);
  bool Unwanted() const { return is_unwanted_ && is_unwanted_(); }
  void Prepare(const Workload& workload, MeasurePolicy policy);
  // A job for each schedule.
  static std::vector<Job> JobsOf(absl::Span<const Schedule> schedules);
  // Those that have no slot yet. `before` is called first, on the first slot's
  // thread. Error: a worker is broken.
  absl::Status CompileAll(absl::Duration timeout, std::vector<Job>& jobs,
                          const std::function<void()>& before = {});
  // For candidates of the workload that the slots are prepared for.
  absl::Duration CompileTimeout() const;
  void Compile(int slot, absl::Duration timeout, Job& job);
  // Compiles what was not, or whose process has ended meanwhile, and runs it,
  // again if the worker is lost. Error: it is lost every time, or broken.
  absl::StatusOr<MeasureResult> Run(int64_t id, absl::Duration timeout,
                                    Job& job);
  // On the slot's thread; what is broken is in `job`.
  MeasureResult TryToRun(int64_t id, absl::Duration timeout, WorkerSlot& slot,
                         Job& job);
  // On the first slot's thread.
  WorkerSlot::Answer AskForReference(const Workload& workload);
  // Before the first run of a workload, for which workers are prepared.
  // `answer`: if the reference was asked for already.
  absl::Status EnsureReference(
      const Workload& workload,
      std::optional<WorkerSlot::Answer> answer = std::nullopt);
  // `timeout` is for all that is done with the candidate.
  proto::WorkerRequest RunRequest(int64_t id, absl::Duration timeout) const;

  const Options options_;
  IsUnwanted is_unwanted_;  // of the present call; the slots ask it
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  using Prepared = std::pair<WorkloadKey, MeasurePolicy>;

  // What the slots are prepared for; nothing at first.
  std::optional<Prepared> prepared_;
  std::map<Prepared, double> best_;  // seconds
  // How long candidates took to be compiled.
  std::map<WorkloadKey, std::vector<double>> compile_seconds_;
  std::set<WorkloadKey> references_;  // those that there are
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_WORKER_MEASURER_H_
