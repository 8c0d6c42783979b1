#include "halide_ext/plugin/kernel_check.h"

#include <sys/resource.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "halide_ext/build/input_check.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/plugin/plugin.pb.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {
namespace {

// Of computing, for each of six schedules; most take less than one.
constexpr rlim_t kSeconds = 10;
// The machine may be busy, and what is chosen must not depend on it.
constexpr absl::Duration kPatience = absl::Minutes(3);
constexpr int64_t kMemory = int64_t{4} << 30;

absl::Status Check(const proto::KernelCheck& check) {
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(check.pipeline()));
  ASSIGN_OR_RETURN(const Schedule schedule, FromProto(check.schedule()));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   TargetSpecFromProto(check.target(), "the target"));
  ASSIGN_OR_RETURN(const InputCheck inputs, InputCheck::Create(pipeline));
  RETURN_IF_ERROR(inputs.Check(schedule, target));
  return pipeline.CompileToModule(schedule, target).status();
}

absl::Status Serve(MessageParent& parent) {
  ASSIGN_OR_RETURN(const std::string text, parent.Receive());
  proto::KernelCheck check;
  if (!check.ParseFromString(text))
    return absl::InvalidArgumentError("the request is garbage");
  proto::KernelVerdict verdict;
  if (const absl::Status status = Check(check); !status.ok())
    verdict.set_refusal(std::string(status.message()));
  return parent.Send(verdict.SerializeAsString());
}

absl::StatusOr<proto::KernelVerdict> Ask(const proto::KernelCheck& check) {
  ASSIGN_OR_RETURN(MessageChild child,
                   MessageChild::Start({"/proc/self/exe", kCheckArgument},
                                       {.max_memory_bytes = kMemory}));
  RETURN_IF_ERROR(child.Send(check.SerializeAsString(), kPatience));
  ASSIGN_OR_RETURN(const std::string text, child.Receive(kPatience));
  proto::KernelVerdict verdict;
  if (!verdict.ParseFromString(text))
    return absl::InternalError("the answer is garbage");
  return verdict;
}

}  // namespace

absl::Status CheckKernels(const Workload& workload, const Schedule& schedule,
                          const TargetSpec& target) {
  proto::KernelCheck check;
  check.set_pipeline(workload.pipeline);
  *check.mutable_schedule() = ToProto(schedule);
  *check.mutable_target() = TargetSpecToProto(target);
  const absl::StatusOr<proto::KernelVerdict> verdict = Ask(check);
  if (!verdict.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("kernels of the schedule cannot be compiled: ",
                     verdict.status().message()));
  }
  if (verdict->refusal().empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(verdict->refusal());
}

int RunKernelCheck() {
  const rlimit limit = {.rlim_cur = kSeconds, .rlim_max = kSeconds};
  setrlimit(RLIMIT_CPU, &limit);
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  return parent.ok() && Serve(*parent).ok() ? 0 : 2;
}

}  // namespace pruner
