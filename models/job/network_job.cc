#include "models/job/network_job.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "halide_ext/build/host_target.h"
#include "models/partition/activation_plan.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/zoo.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/device_available.h"
#include "pruner/target/load_target_spec.h"

namespace pruner {
namespace {

// The weights of the zoo's networks are random, and always the same.
constexpr uint64_t kWeightsSeed = 0;

// Of a model or of a target, whose files end as some models' do.
bool IsPath(const std::string& name) {
  return absl::StrContains(name, '/') || IsModelFile(name);
}

std::string UserPath(const std::string& name) {
  return IsPath(name) ? ResolveUserPath(name) : name;
}

}  // namespace

std::string FileStem(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

std::string ModelFile(const std::string& model) {
  return IsPath(model) ? ResolveUserPath(model) : "";
}

absl::StatusOr<TargetSpec> LoadTarget(const std::string& target, int threads,
                                      TargetUse use) {
  ASSIGN_OR_RETURN(TargetSpec spec, LoadTargetSpec(UserPath(target)));
  const absl::Status device =
      use == TargetUse::kNothing ? absl::OkStatus() : DeviceAvailable(spec);
  if (!device.ok()) {
    // Not Unavailable: trying again does not help, another target does.
    return absl::FailedPreconditionError(
        absl::StrCat("--target=", target, ": ", device.message()));
  }
  if (use == TargetUse::kNetworks && spec.backend != Backend::kHost) {
    return absl::UnimplementedError(
        absl::StrCat("--target=", target,
                     ": networks run on the host's CPU only so far; use "
                     "--target=host, or tune single pipelines"));
  }
  if (threads > spec.units.cores) {
    return absl::InvalidArgumentError(
        absl::StrCat("--threads=", threads, " is more than the ",
                     spec.units.cores, " cores of ", spec.name));
  }
  if (threads > 0) {
    spec.units.cores = threads;
    spec.peaks.fp32_gflops = std::min(
        spec.peaks.fp32_gflops, threads * spec.peaks.fp32_gflops_per_core);
  }
  if (use == TargetUse::kNothing) return spec;
  if (const absl::Status runs = CheckRunsHere(spec); !runs.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--target=", target, ": ", runs.message()));
  }
  return spec;
}

absl::StatusOr<FormulationOptions> ParseFormulations(
    const std::string& formulations, double max_error) {
  FormulationOptions options = {.max_error = max_error};
  if (formulations == "all") {
    options.names = FormulationNames();
  } else {
    options.names = absl::StrSplit(formulations, ',', absl::SkipEmpty());
  }
  if (!(max_error > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--max_error=", max_error, " is not positive: write 1e-3"));
  }
  if (const absl::Status status = CheckFormulationOptions(options);
      !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--formulations=", formulations, ": ", status.message(), ", and all"));
  }
  return options;
}

absl::StatusOr<std::vector<OnnxInputShape>> ParseInputShapes(
    const std::vector<std::string>& texts) {
  std::vector<OnnxInputShape> shapes;
  for (const std::string& text : texts) {
    absl::StatusOr<OnnxInputShape> shape = ParseOnnxInputShape(text);
    if (!shape.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--input_shape=", text, ": ", shape.status().message()));
    }
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

absl::StatusOr<NetworkJob> MakeNetworkJob(
    const std::string& model, int64_t batch, OperatorGraph original,
    const TargetSpec& target, const FormulationOptions& formulations) {
  NetworkJob job;
  job.model = model;
  job.name = FileStem(model);
  if (batch != 1) absl::StrAppend(&job.name, "_b", batch);
  job.batch = batch;
  job.target = target;
  job.original = std::move(original);
  ASSIGN_OR_RETURN(job.graph, Simplify(job.original));
  ASSIGN_OR_RETURN(job.partition, PartitionGraph(job.graph));
  ASSIGN_OR_RETURN(job.tasks,
                   MakeNetworkTasks(job.partition, target, formulations));
  const ActivationPlan plan = PlanActivations(job.graph, job.partition);
  job.measure_policy =
      PolicyOfNetwork(ConstantBytes(job.tasks) + plan.arena_bytes, target);
  return job;
}

absl::StatusOr<NetworkJob> LoadNetworkJob(
    const std::string& model, int batch,
    const std::vector<OnnxInputShape>& input_shapes, const TargetSpec& target,
    const FormulationOptions& formulations) {
  ASSIGN_OR_RETURN(
      OperatorGraph original,
      LoadModel(UserPath(model), {.batch = batch, .seed = kWeightsSeed},
                input_shapes));
  return MakeNetworkJob(model, batch, std::move(original), target,
                        formulations);
}

}  // namespace pruner
