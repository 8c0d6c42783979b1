#include "halide_ext/plugin/choose_schedule.h"

#include <cstdint>
#include <functional>
#include <memory>
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
#include "halide_ext/plugin/plugin_target.h"
#include "halide_ext/plugin/schedule_check.h"
#include "halide_ext/plugin/tune_pipeline.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/search/best_unmeasured.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

using Say = std::function<void(absl::string_view)>;

// Of which one should be right for any size.
constexpr size_t kChecked = 6;

absl::StatusOr<Workload> WorkloadOf(const proto::StoredPipeline& stored) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    return MakeWorkload("pipeline", DeserializePipeline(stored),
                        Sizes::kEstimates);
  });
}

// The best first; the default schedule at last.
absl::StatusOr<std::vector<Schedule>> Finalists(const TuningTask& task,
                                                const TargetSpec& target,
                                                uint64_t seed) {
  const std::unique_ptr<const DraftModel> model = MakeDraftModel(target);
  const SketchContext context = ContextOf(task, target);
  const PolicyInputs inputs = {
      .context = context, .draft = model.get(), .seed = seed};
  Rng rng(seed);
  ASSIGN_OR_RETURN(const std::vector<ScoredProposal> best,
                   BestUnmeasured(inputs, kChecked, rng));
  std::vector<Schedule> schedules;
  for (const ScoredProposal& proposal : best)
    schedules.push_back(proposal.proposal.schedule);
  ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                   GenerateSketches(context));
  ASSIGN_OR_RETURN(ScheduleSampler sampler,
                   ScheduleSampler::Create(context, sketches));
  ASSIGN_OR_RETURN(schedules.emplace_back(), sampler.DefaultSchedule());
  return schedules;
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

// The first of the model's best that may be used. None: a note says why.
absl::StatusOr<std::optional<Schedule>> Draft(const TuningTask& task,
                                              const TargetSpec& target,
                                              uint64_t seed,
                                              proto::ScheduleReply& reply) {
  ASSIGN_OR_RETURN(const std::vector<Schedule> schedules,
                   Finalists(task, target, seed));
  absl::Status refused;
  for (const Schedule& schedule : schedules) {
    refused = CheckSchedule(task.workload, schedule, target);
    if (absl::IsFailedPrecondition(refused)) continue;
    RETURN_IF_ERROR(refused);
    return schedule;
  }
  reply.add_notes(absl::StrCat("the pipeline gets a simple schedule, because ",
                               refused.message()));
  return std::nullopt;
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
    ASSIGN_OR_RETURN(schedule, Draft(task, target, request.seed(), reply));
  }
  if (!schedule->has_value()) return reply;
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
