#include "models/job/network_jobs.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/job/network_job.h"
#include "pruner/base/os/memory.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_policy.h"

namespace pruner {
namespace {

absl::Status CheckNames(absl::Span<const NetworkJob> jobs) {
  std::set<std::string> names;
  for (const NetworkJob& job : jobs) {
    if (names.insert(job.name).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--model names two networks '", job.name,
        "', whose files would have the same names: tune one after the other, "
        "into different folders"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<NetworkJob>> LoadNetworkJobs(
    const TuneOptions& options, const TargetSpec& target) {
  ASSIGN_OR_RETURN(const FormulationOptions formulations,
                   ParseFormulations(options.formulations, options.max_error));
  ASSIGN_OR_RETURN(const std::vector<OnnxInputShape> input_shapes,
                   ParseInputShapes(options.input_shapes));
  std::vector<NetworkJob> jobs;
  for (const std::string& model : options.models) {
    ASSIGN_OR_RETURN(jobs.emplace_back(),
                     LoadNetworkJob(model, options.batch, input_shapes, target,
                                    formulations));
    if (options.measure_policy != kAutoPolicy) {
      ASSIGN_OR_RETURN(jobs.back().measure_policy,
                       ParseMeasurePolicy(options.measure_policy));
    }
    RETURN_IF_ERROR(CheckMemoryForCopies(jobs.back().measure_policy, target,
                                         AvailableMemoryBytes()));
  }
  RETURN_IF_ERROR(CheckNames(jobs));
  return jobs;
}

std::string TasksText(const NetworkJob& job) {
  const size_t subgraphs = job.partition.subgraphs.size();
  std::string text = absl::StrCat(job.model, ": ", subgraphs, " tasks");
  if (job.tasks.size() != subgraphs)
    absl::StrAppend(&text, " in ", job.tasks.size(), " formulations");
  return text;
}

}  // namespace pruner
