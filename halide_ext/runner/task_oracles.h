// Who says whether the candidates of a run's tasks are valid before they are
// measured: for CUDA ptxas, else the compiler.
#ifndef HALIDE_EXT_RUNNER_TASK_ORACLES_H_
#define HALIDE_EXT_RUNNER_TASK_ORACLES_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measurer.h"
#include "pruner/sample/cached_oracle.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// Nothing is started or opened before it is needed. Not thread-safe.
class TaskOracles {
 public:
  struct Options {
    std::string ptxas = "ptxas";  // the program, looked for in $PATH
    // File of what was said, which is not asked again; empty: nothing is kept.
    std::string cache = {};
    Measurer::IsUnwanted is_unwanted = {};
  };

  // For the measurer's target, with its limits; it must outlive the oracles.
  TaskOracles(WorkerMeasurer& measurer, Options options)
      : measurer_(&measurer),
        measuring_(measurer.options()),
        options_(std::move(options)) {}
  // For a target of CUDA, whose device need not be there.
  TaskOracles(const TargetSpec& target, Options options)
      : measuring_({.target = target}), options_(std::move(options)) {
    CHECK(target.backend == Backend::kCuda) << target.name;
  }

  // Whether there are any. Errors: there is no ptxas, or it does not know the
  // target; the file cannot be used.
  absl::Status Start();

  // Of candidates of the workload's space. These and this object must outlive
  // it. Errors: Start's. The oracle's: the judge's (schedule_judges.h).
  absl::StatusOr<std::unique_ptr<ValidityOracle>> For(const Workload& workload,
                                                      MeasurePolicy policy,
                                                      ScheduleSpace& space);

  // How long all oracles took to answer so far.
  absl::Duration elapsed() const { return elapsed_; }

 private:
  class Oracle;

  WorkerMeasurer* const measurer_ = nullptr;
  const WorkerMeasurer::Options measuring_;  // targets, limits and workers
  const Options options_;
  std::string judge_ = {};  // who it is, for keys; empty: not started
  std::unique_ptr<CudaAssessor> assessor_;  // null if the compiler says it all
  std::optional<OracleCache> cache_;
  absl::Duration elapsed_ = absl::ZeroDuration();
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_TASK_ORACLES_H_
