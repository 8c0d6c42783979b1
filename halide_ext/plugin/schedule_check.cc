#include "halide_ext/plugin/schedule_check.h"

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <utility>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/input_check.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/mixed_products.h"
#include "halide_ext/build/partly_lowered.h"
#include "halide_ext/build/required_inputs.h"
#include "halide_ext/build/without_mixed_products.h"
#include "halide_ext/plugin/plugin.pb.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {
namespace {

// Of computing, for each of six schedules; most take less than one. For the
// host pipelines may be long, and no schedule goes on without end.
constexpr rlim_t kSecondsOnDevice = 10;
constexpr rlim_t kSecondsOnHost = 120;
// The machine may be busy, and what is chosen must not depend on it.
constexpr absl::Duration kPatience = absl::Minutes(3);
constexpr int64_t kMemory = int64_t{4} << 30;

// Whoever compiles it for the host gets as far at least. Whether there may be
// vectors in it that Halide does not compile: where the pipeline has nothing
// that calls for these, they and what follows are left to them.
absl::StatusOr<bool> CheckOnHost(const WorkloadPipeline& pipeline,
                                 const InputCheck& inputs,
                                 const Schedule& schedule,
                                 const TargetSpec& target) {
  ASSIGN_OR_RETURN(const Halide::Pipeline scheduled,
                   pipeline.Scheduled(schedule, target));
  return Guarded<bool>([&]() -> absl::StatusOr<bool> {
    PartlyLowered lowered =
        LowerUntilImageChecks(scheduled, Halide::Target(target.halide_target));
    RETURN_IF_ERROR(inputs.Check(RequiredInputs::Of(scheduled, lowered)));
    SkipStages(lowered);
    return MayMixProducts(lowered.body);
  });
}

absl::StatusOr<Schedule> UsableOnHost(const WorkloadPipeline& pipeline,
                                      const InputCheck& inputs,
                                      Schedule schedule,
                                      const TargetSpec& target) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool may_mix_products,
                     CheckOnHost(pipeline, inputs, schedule, target));
    if (!may_mix_products) return schedule;
    ASSIGN_OR_RETURN(Schedule without,
                     WithoutMixedProducts(pipeline, schedule, target));
    if (without == schedule) return schedule;
    schedule = std::move(without);
  }
}

absl::StatusOr<Schedule> Check(const proto::ScheduleCheck& check) {
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(check.pipeline()));
  ASSIGN_OR_RETURN(Schedule schedule, FromProto(check.schedule()));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   TargetSpecFromProto(check.target(), "the target"));
  const bool is_host = target.backend == Backend::kHost;
  const rlim_t seconds = is_host ? kSecondsOnHost : kSecondsOnDevice;
  const rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds};
  setrlimit(RLIMIT_CPU, &limit);
  ASSIGN_OR_RETURN(const InputCheck inputs, InputCheck::Create(pipeline));
  if (is_host)
    return UsableOnHost(pipeline, inputs, std::move(schedule), target);
  RETURN_IF_ERROR(inputs.Check(schedule, target));
  RETURN_IF_ERROR(pipeline.CompileToModule(schedule, target).status());
  return schedule;
}

absl::Status Serve(MessageParent& parent) {
  ASSIGN_OR_RETURN(const std::string text, parent.Receive());
  proto::ScheduleCheck check;
  if (!check.ParseFromString(text))
    return absl::InvalidArgumentError("the request is garbage");
  proto::ScheduleVerdict verdict;
  if (const absl::StatusOr<Schedule> schedule = Check(check); schedule.ok()) {
    *verdict.mutable_schedule() = ToProto(*schedule);
  } else {
    verdict.set_refusal(std::string(schedule.status().message()));
  }
  return parent.Send(verdict.SerializeAsString());
}

absl::StatusOr<proto::ScheduleVerdict> Ask(const proto::ScheduleCheck& check) {
  ASSIGN_OR_RETURN(MessageChild child,
                   MessageChild::Start({"/proc/self/exe", kCheckArgument},
                                       {.max_memory_bytes = kMemory}));
  RETURN_IF_ERROR(child.Send(check.SerializeAsString(), kPatience));
  ASSIGN_OR_RETURN(const std::string text, child.Receive(kPatience));
  proto::ScheduleVerdict verdict;
  if (!verdict.ParseFromString(text))
    return absl::InternalError("the answer is garbage");
  return verdict;
}

}  // namespace

absl::StatusOr<Schedule> CheckSchedule(const Workload& workload,
                                       const Schedule& schedule,
                                       const TargetSpec& target) {
  proto::ScheduleCheck check;
  check.set_pipeline(workload.pipeline);
  *check.mutable_schedule() = ToProto(schedule);
  *check.mutable_target() = TargetSpecToProto(target);
  const absl::StatusOr<proto::ScheduleVerdict> verdict = Ask(check);
  if (!verdict.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("Halide does not come to an end with the schedule: ",
                     verdict.status().message()));
  }
  if (verdict->refusal().empty()) return FromProto(verdict->schedule());
  return absl::FailedPreconditionError(verdict->refusal());
}

int RunScheduleCheck() {
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  return parent.ok() && Serve(*parent).ok() ? 0 : 2;
}

}  // namespace pruner
