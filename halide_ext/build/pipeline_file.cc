#include "halide_ext/build/pipeline_file.h"

#include <map>
#include <utility>

#include "Halide.h"
#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/author_schedules.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/build/pipeline_parameters.h"
#include "halide_ext/build/stored_pipeline.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {
namespace {

using Halide::Pipeline;
using Parameters = std::map<std::string, Halide::Parameter>;  // by name

absl::StatusOr<Pipeline> Deserialize(const std::vector<uint8_t>& bytes,
                                     const Parameters& parameters) {
  absl::StatusOr<Pipeline> pipeline =
      Guarded<Pipeline>([&]() -> absl::StatusOr<Pipeline> {
        return Halide::deserialize_pipeline(bytes, parameters);
      });
  // Whatever its reader refuses, its writer does not write.
  if (!pipeline.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("it is damaged: ", pipeline.status().message()));
  }
  return pipeline;
}

// Names end up in logs and on terminals.
absl::Status CheckNames(const ComputeDag& dag) {
  const auto is_fine = [](absl::string_view name) {
    return absl::c_all_of(
        name, [](unsigned char c) { return absl::ascii_isprint(c); });
  };
  for (const Stage& stage : dag.stages()) {
    bool fine = is_fine(stage.name);
    for (const Axis& axis : stage.axes) fine = fine && is_fine(axis.name);
    if (fine) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "'", absl::CHexEscape(stage.name),
        "' or one of its variables has a name with characters other than "
        "printable ASCII: rename it"));
  }
  return absl::OkStatus();
}

}  // namespace

bool IsSealedPipeline(absl::string_view bytes) { return IsSealed(bytes); }

absl::Status CheckPipelineFile(absl::string_view bytes,
                               absl::string_view file) {
  if (!IsSealed(bytes)) return CheckPipelineBytes(bytes, file);
  const absl::StatusOr<proto::StoredPipeline> stored = UnsealPipeline(bytes);
  if (!stored.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file, " is truncated or damaged: its hash is not that of its content"));
  }
  return CheckPipelineBytes(stored->halide(), file);
}

absl::StatusOr<Workload> WorkloadFromHalide(const std::string& name,
                                            const std::vector<uint8_t>& bytes,
                                            const InputSizes& sizes) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    Parameters parameters = Halide::deserialize_parameters(bytes);
    RETURN_IF_ERROR(SetInputSizes(sizes, parameters));
    ASSIGN_OR_RETURN(const Pipeline pipeline, Deserialize(bytes, parameters));
    for (const Halide::Func& output : pipeline.outputs())
      RETURN_IF_ERROR(OutputRegion(output.function()).status());
    absl::StatusOr<Workload> workload = MakeWorkload(name, pipeline);
    if (absl::IsInvalidArgument(workload.status())) {
      RETURN_IF_ERROR(workload.status()) << InputSizesHint(sizes, parameters);
    }
    if (!workload.ok()) return workload;
    RETURN_IF_ERROR(CheckNames(workload->dag));
    RETURN_IF_ERROR(CheckUnscheduled(pipeline));
    return workload;
  });
}

absl::StatusOr<Workload> WorkloadFromSealed(const std::string& name,
                                            const std::string& sealed) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    ASSIGN_OR_RETURN(const proto::StoredPipeline stored,
                     UnsealPipeline(sealed));
    RETURN_IF_ERROR(CheckPipelineBytes(stored.halide(), "the pipeline"));
    ASSIGN_OR_RETURN(
        Workload workload,
        MakeWorkload(name, DeserializePipeline(stored), SizesOf(stored)));
    workload.pipeline = sealed;
    return workload;
  });
}

}  // namespace pruner
