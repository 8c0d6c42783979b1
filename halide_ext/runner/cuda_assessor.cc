#include "halide_ext/runner/cuda_assessor.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/build/device_code.h"
#include "halide_ext/runner/kernel_resources_proto.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<CudaAssessor>> CudaAssessor::Create(
    Options options) {
  ASSIGN_OR_RETURN(const std::string architecture,
                   CudaArchitecture(options.target));
  RETURN_IF_ERROR(Ptxas(options.ptxas).CheckArchitecture(architecture))
      << "while asking for target \"" << options.target.name << "\"";
  return std::unique_ptr<CudaAssessor>(new CudaAssessor(std::move(options)));
}

CudaAssessor::CudaAssessor(Options options) : options_(std::move(options)) {
  for (int i = 0; i < std::max(1, options_.workers); ++i) {
    slots_.push_back(std::make_unique<WorkerSlot>(
        WorkerSlot::Options{.command = options_.command,
                            .max_memory_bytes = options_.max_memory_bytes,
                            .prepare_timeout = absl::Seconds(60),
                            .is_unwanted = options_.is_unwanted}));
  }
}

absl::StatusOr<Assessment> CudaAssessor::AssessOne(
    WorkerSlot& slot, const Schedule& schedule) const {
  proto::WorkerRequest request;
  *request.mutable_assess()->mutable_schedule() = ToProto(schedule);
  request.mutable_assess()->set_ptxas(options_.ptxas);
  const WorkerSlot::Answer answer = slot.Ask(
      request,
      {.time = options_.timeout, .failure = FailureKind::kCompileTimeout});
  if (absl::IsCancelled(answer.broken)) return answer.broken;
  if (!answer.broken.ok())
    return absl::UnavailableError(answer.broken.message());
  if (answer.failure && answer.failure->kind == FailureKind::kLostWorker)
    return absl::UnavailableError(answer.failure->message);
  Assessment assessment = {.failure = answer.failure,
                           .compile_seconds = answer.reply.compile_seconds()};
  if (!assessment.failure && answer.reply.has_result()) {
    const absl::StatusOr<MeasureResult> result =
        FromProto(answer.reply.result());
    assessment.failure =
        result.ok()
            ? result->failure
            : Failure{.kind = FailureKind::kProtocol,
                      .message = std::string(result.status().message())};
  }
  for (const auto& kernel : answer.reply.kernels())
    assessment.kernels.push_back(FromProto(kernel));
  return assessment;
}

absl::StatusOr<std::vector<Assessment>> CudaAssessor::Assess(
    const Workload& workload, absl::Span<const Schedule> schedules) {
  proto::WorkerRequest prepare;
  prepare.mutable_prepare()->set_workload_key(workload.key.value);
  prepare.mutable_prepare()->set_pipeline(workload.pipeline);
  prepare.mutable_prepare()->set_target(TargetSpecToText(options_.target));
  std::vector<absl::StatusOr<Assessment>> answers(schedules.size());
  std::atomic<size_t> next = 0;
  for (auto& slot : slots_) {
    slot->Post([&, this] {
      slot->SetPreparation(prepare);
      for (size_t i; (i = next.fetch_add(1)) < schedules.size();)
        answers[i] = AssessOne(*slot, schedules[i]);
    });
  }
  for (auto& slot : slots_) slot->Wait();
  std::vector<Assessment> assessments;
  assessments.reserve(answers.size());
  for (absl::StatusOr<Assessment>& answer : answers) {
    ASSIGN_OR_RETURN(assessments.emplace_back(), std::move(answer));
  }
  return assessments;
}

}  // namespace pruner
