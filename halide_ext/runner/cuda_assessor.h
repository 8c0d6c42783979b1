// What CUDA candidates need of the hardware, found out without any: they are
// compiled, and ptxas assembles them, in worker processes, so that whatever
// that does is a failure of the candidate and nothing more.
#ifndef HALIDE_EXT_RUNNER_CUDA_ASSESSOR_H_
#define HALIDE_EXT_RUNNER_CUDA_ASSESSOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "halide_ext/build/ptxas.h"
#include "halide_ext/runner/worker_slot.h"
#include "pruner/measure/measure_result.h"
#include "pruner/measure/measurer.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct Assessment {
  // Why it cannot run, if so: Halide, the target's limits or ptxas refuse it
  // (compile errors, in their words), or threads use what only others know, so
  // that its output would be wrong.
  std::optional<Failure> failure = {};
  std::vector<KernelResources> kernels = {};  // in the order of the program
  double compile_seconds = 0;                 // ptxas included
};

class CudaAssessor {
 public:
  struct Options {
    // Starts a worker: a program whose main begins with RunIfWorker. By default
    // the running program.
    std::vector<std::string> command = {"/proc/self/exe"};
    TargetSpec target = {};
    std::string ptxas = {};  // path of the program
    int workers = 2;
    absl::Duration timeout = absl::Seconds(60);  // of a candidate
    int64_t max_memory_bytes = int64_t{6} << 30;
    // Whether nobody wants to know any more. Asked several times a second, by
    // other threads too; empty: somebody always does.
    std::function<bool()> is_unwanted = {};
  };

  // Error: the target is none for CUDA, or ptxas does not know it or cannot be
  // run.
  static absl::StatusOr<std::unique_ptr<CudaAssessor>> Create(Options options);

  const TargetSpec& target() const { return options_.target; }

  // In the order of the schedules. Errors: Cancelled if it is unwanted;
  // Unavailable, the workers cannot go on.
  absl::StatusOr<std::vector<Assessment>> Assess(
      const Workload& workload, absl::Span<const Schedule> schedules);

 private:
  explicit CudaAssessor(Options options);
  absl::StatusOr<Assessment> AssessOne(WorkerSlot& slot,
                                       const Schedule& schedule) const;

  const Options options_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_CUDA_ASSESSOR_H_
