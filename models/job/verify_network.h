// Is a compiled network right, as a whole and kernel by kernel?
#ifndef MODELS_JOB_VERIFY_NETWORK_H_
#define MODELS_JOB_VERIFY_NETWORK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/job/network_job.h"
#include "models/ops/tasks.h"
#include "models/runtime/network.h"

namespace pruner {

struct NetworkErrors {
  // Of the outputs, against the graph as it was loaded in double precision: the
  // largest difference, and the same by the output's largest value.
  double max_absolute = 0;
  double max_relative = 0;
  // The first kernel whose output differs by more than rounding explains.
  std::string wrong_kernel;
  // What is wrong, a sentence; empty: nothing.
  std::string problem;
};

// Runs the network, built of `tasks`, on random inputs, whole numbers and
// zeros, and compares: CompareWithInterpreter, CompareKernels. It takes four
// runs of the interpreter, a few seconds for large networks.
absl::StatusOr<NetworkErrors> VerifyNetwork(const NetworkJob& job,
                                            absl::Span<const NetworkTask> tasks,
                                            uint64_t seed, Network& network);

}  // namespace pruner

#endif  // MODELS_JOB_VERIFY_NETWORK_H_
