// What benchmarks of CUDA code share, which need no device: what they compile,
// and who says what it needs.
#ifndef TOOLS_BENCH_CUDA_TASKS_H_
#define TOOLS_BENCH_CUDA_TASKS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// The operators that the flags of operator_selection.h choose.
absl::StatusOr<std::vector<Workload>> OperatorWorkloads();

// The tasks of a network, by its name, each computed directly.
absl::StatusOr<std::vector<Workload>> NetworkWorkloads(
    const std::string& model, const TargetSpec& target);

// Where ptxas is, of a program that has it among its data and was started as
// `argv0`.
absl::StatusOr<std::string> PtxasPath(const char* argv0);

// With that ptxas.
absl::StatusOr<std::unique_ptr<CudaAssessor>> MakeAssessor(
    const TargetSpec& target, const std::string& ptxas);

}  // namespace pruner

#endif  // TOOLS_BENCH_CUDA_TASKS_H_
