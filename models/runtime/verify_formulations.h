// Does each formulation compute what its subgraph is defined to?
#ifndef MODELS_RUNTIME_VERIFY_FORMULATIONS_H_
#define MODELS_RUNTIME_VERIFY_FORMULATIONS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "models/runtime/network.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct FormulationCheck {
  // The largest difference from the subgraph's operators in double precision,
  // relative to the largest value.
  double error = 0;
  // Internal, with the difference, if it is more than the task's tolerance;
  // else why the kernel cannot be compiled or run.
  absl::Status status;
};

struct VerifyFormulationsOptions {
  uint64_t seed = 1;  // of the inputs
  // Kernels that are compiled at the same time, and threads that run them.
  int threads = 1;
};

// Runs the kernel of each task with its schedule of `schedules`, which has all
// of them, on inputs uniform in [-1, 1), constants among them. In the order of
// `tasks`, which are of this partition. An anchor with its operators in double
// precision takes about a second for each 2 GFLOP.
std::vector<FormulationCheck> VerifyFormulations(
    const PartitionResult& partition, absl::Span<const NetworkTask> tasks,
    const SchedulesByWorkload& schedules, const TargetSpec& target,
    const VerifyFormulationsOptions& options = {});

}  // namespace pruner

#endif  // MODELS_RUNTIME_VERIFY_FORMULATIONS_H_
