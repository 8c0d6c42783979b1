#include "models/job/verify_network.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/runtime/verify.h"
#include "models/runtime/verify_kernels.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Reordered sums of floats, and formulations whose own error is smaller; a
// kernel that is wrong anywhere gives far more.
constexpr double kOutputTolerance = 1e-3;

// The first wrong kernel, if there is one.
absl::Status FindWrongKernel(const NetworkJob& job,
                             absl::Span<const NetworkTask> tasks, uint64_t seed,
                             Network& network, NetworkErrors& found) {
  const int threads = static_cast<int>(job.target.units.cores);
  for (const NetworkInputs inputs : kAllNetworkInputs) {
    ASSIGN_OR_RETURN(
        const std::vector<KernelError> errors,
        CompareKernels(job.graph, job.partition, tasks, inputs, network,
                       {.seed = seed, .threads = threads}));
    const auto wrong =
        std::find_if(errors.begin(), errors.end(),
                     [](const KernelError& error) { return error.is_wrong(); });
    if (wrong == errors.end()) continue;
    found.wrong_kernel = wrong->kernel;
    found.problem = absl::StrCat(
        "a kernel of the tuned network is wrong: what ", wrong->kernel,
        ", number ", wrong->step, " of them, writes with ",
        NetworkInputsName(inputs), " differs from double precision by ",
        wrong->relative, " of its largest value, most at element ",
        wrong->element, "; rounding explains ", wrong->tolerance);
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<NetworkErrors> VerifyNetwork(const NetworkJob& job,
                                            absl::Span<const NetworkTask> tasks,
                                            uint64_t seed, Network& network) {
  NetworkErrors found;
  ASSIGN_OR_RETURN(
      const std::vector<OutputError> errors,
      CompareWithInterpreter(job.original, network, seed,
                             static_cast<int>(job.target.units.cores)));
  for (const OutputError& error : errors) {
    found.max_absolute = std::max(found.max_absolute, error.max_absolute);
    found.max_relative = std::max(found.max_relative, error.relative);
  }
  RETURN_IF_ERROR(FindWrongKernel(job, tasks, seed, network, found));
  if (found.problem.empty() && !(found.max_relative <= kOutputTolerance)) {
    found.problem = absl::StrCat(
        "the tuned network's output is wrong: it differs from the "
        "interpreter's by ",
        found.max_relative, " of its largest value");
  }
  return found;
}

}  // namespace pruner
