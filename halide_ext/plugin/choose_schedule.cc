#include "halide_ext/plugin/choose_schedule.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "halide_ext/build/code_limits.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/pipeline_parameters.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/directive_proto.h"
#include "halide_ext/lower/lower.h"
#include "halide_ext/plugin/draft_schedule.h"
#include "halide_ext/plugin/plugin_target.h"
#include "halide_ext/plugin/tune_pipeline.h"
#include "pruner/base/status_macros.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

using Say = std::function<void(absl::string_view)>;

absl::StatusOr<Workload> WorkloadOf(const proto::StoredPipeline& stored) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    return MakeWorkload("pipeline", DeserializePipeline(stored),
                        Sizes::kEstimates);
  });
}

absl::StatusOr<TargetSpec> TargetOf(const proto::ScheduleRequest& request,
                                    const Halide::Target& target) {
  absl::StatusOr<TargetSpec> spec =
      request.target_spec().empty()
          ? PluginTarget(target, request.parallelism())
          : PluginTargetFrom(request.target_spec(), target,
                             request.parallelism());
  if (spec.ok())
    return request.without_passes() ? WithoutPasses(*std::move(spec)) : spec;
  if (request.target_spec().empty()) return spec;
  return absl::InvalidArgumentError(
      absl::StrCat("autoscheduler.target_spec: ", spec.status().message()));
}

absl::StatusOr<proto::ScheduleReply> Choose(
    const proto::ScheduleRequest& request, const Say& say) {
  const Halide::Target halide_target(request.halide_target());
  ASSIGN_OR_RETURN(TargetSpec target, TargetOf(request, halide_target));
  RETURN_IF_ERROR(CheckSearch(request, target));
  ASSIGN_OR_RETURN(Workload workload, WorkloadOf(request.pipeline()));
  const TuningTask task = {.workload = std::move(workload)};
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(task.workload.pipeline));
  RETURN_IF_ERROR(LimitCode(pipeline, target));
  if (request.trials() > 0) {
    RETURN_IF_ERROR(pipeline.CheckNumbers());
  }
  proto::ScheduleReply reply;
  for (const std::string& note : task.workload.notes) reply.add_notes(note);
  absl::StatusOr<std::optional<Schedule>> schedule =
      TunePipeline(task, target, request, say);
  if (absl::IsInternal(schedule.status()) && !request.strict()) {
    reply.add_warnings(absl::StrCat("the draft model chooses the schedule: ",
                                    schedule.status().message()));
    schedule = std::nullopt;
  }
  RETURN_IF_ERROR(schedule.status());
  if (!schedule->has_value()) {
    if (request.trials() == 0 && !request.record_log().empty()) {
      reply.add_warnings(
          absl::StrCat("the draft model chooses the schedule, because ",
                       request.record_log(),
                       " has no trial of this pipeline for this machine (",
                       ToString(task.workload.key), " on ",
                       ToString(TargetKeyOf(target)), ")"));
    }
    absl::StatusOr<Proposal> draft =
        DraftSchedule(task, target, request.seed());
    if (absl::IsFailedPrecondition(draft.status())) {
      reply.add_notes(
          absl::StrCat("the pipeline gets a simple schedule, because ",
                       draft.status().message()));
      return reply;
    }
    RETURN_IF_ERROR(draft.status());
    schedule = std::move(draft->schedule);
  }
  ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                   LowerSchedule(**schedule, pipeline.analyzed(), target));
  for (const Directive& directive : directives)
    *reply.add_directives() = ToProto(directive);
  return reply;
}

}  // namespace

proto::ScheduleReply ChooseSchedule(const proto::ScheduleRequest& request,
                                    const Say& say) {
  absl::StatusOr<proto::ScheduleReply> reply =
      Guarded<proto::ScheduleReply>([&] { return Choose(request, say); });
  if (reply.ok()) return *std::move(reply);
  proto::ScheduleReply refusal;
  refusal.set_error(std::string(reply.status().message()));
  return refusal;
}

}  // namespace pruner
