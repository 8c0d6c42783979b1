#include "tools/bench/cuda_tasks.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "models/job/network_job.h"
#include "models/ops/formulation.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "tools/bench/operator_selection.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {

absl::StatusOr<std::vector<Workload>> OperatorWorkloads() {
  ASSIGN_OR_RETURN(const std::vector<OperatorCase> cases,
                   SelectedCases(/*lanes=*/4));
  std::vector<Workload> workloads;
  for (const OperatorCase& c : cases) {
    ASSIGN_OR_RETURN(Workload workload, MakeWorkload(c.Name(), c.make()));
    workloads.push_back(std::move(workload));
  }
  return workloads;
}

absl::StatusOr<std::vector<Workload>> NetworkWorkloads(
    const std::string& model, const TargetSpec& target) {
  ASSIGN_OR_RETURN(const FormulationOptions formulations,
                   ParseFormulations(std::string(kDirect), 1e-3));
  ASSIGN_OR_RETURN(const NetworkJob job,
                   LoadNetworkJob(model, /*batch=*/1, /*input_shapes=*/{},
                                  target, formulations));
  std::vector<Workload> workloads;
  for (const NetworkTask& task : job.tasks) workloads.push_back(task.workload);
  return workloads;
}

absl::StatusOr<std::string> PtxasPath(const char* argv0) {
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  if (runfiles == nullptr) return absl::InternalError(error);
  return runfiles->Rlocation("cuda_tools/nvidia/cuda_nvcc/bin/ptxas");
}

absl::StatusOr<std::unique_ptr<CudaAssessor>> MakeAssessor(
    const TargetSpec& target, const std::string& ptxas) {
  CudaAssessor::Options options;
  options.target = target;
  options.ptxas = ptxas;
  return CudaAssessor::Create(options);
}

}  // namespace pruner
