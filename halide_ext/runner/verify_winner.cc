#include "halide_ext/runner/verify_winner.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/runner/worker.pb.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_result.h"

namespace pruner {
namespace {

struct OtherInputs {
  proto::WorkerRequest::Prepare::Inputs inputs;
  const char* name;
};
constexpr OtherInputs kOtherInputs[] = {
    {proto::WorkerRequest::Prepare::INTEGERS, "whole numbers"},
    {proto::WorkerRequest::Prepare::ZEROS, "zeros"}};

// Whether all of its code can be compiled.
absl::Status CheckForAnySize(WorkerMeasurer::Options options,
                             const Workload& workload, MeasurePolicy policy,
                             const Schedule& schedule) {
  options.large_outputs_only = false;
  options.compile_timeout = kVerifyTimeout;
  ASSIGN_OR_RETURN(const std::unique_ptr<WorkerMeasurer> measurer,
                   WorkerMeasurer::Create(options));
  ASSIGN_OR_RETURN(const std::vector<std::optional<Failure>> failures,
                   measurer->Check(workload, policy, {schedule}, {}));
  if (!failures[0]) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      "the fastest candidate of ", workload.name,
      " cannot be compiled for outputs of other sizes: ",
      FailureKindName(failures[0]->kind), ": ", failures[0]->message));
}

}  // namespace

absl::Status VerifyWinner(WorkerMeasurer::Options options,
                          const Workload& workload, MeasurePolicy policy,
                          const Schedule& schedule) {
  options.workers = 1;
  options.min_samples = 1;
  options.min_seconds = 0;
  for (const auto& [inputs, name] : kOtherInputs) {
    options.inputs = inputs;
    ASSIGN_OR_RETURN(const std::unique_ptr<WorkerMeasurer> measurer,
                     WorkerMeasurer::Create(options));
    std::optional<Failure> failure;
    RETURN_IF_ERROR(measurer->Measure(workload, policy, {schedule},
                                      [&](size_t, const MeasureResult& result) {
                                        failure = result.failure;
                                        return true;
                                      },
                                      {}));
    if (!failure) continue;
    return absl::InternalError(
        absl::StrCat("the fastest candidate of ", workload.name, " fails with ",
                     name, " as inputs, unlike with those it was timed with: ",
                     FailureKindName(failure->kind), ": ", failure->message));
  }
  if (!options.large_outputs_only) return absl::OkStatus();
  return CheckForAnySize(options, workload, policy, schedule);
}

}  // namespace pruner
