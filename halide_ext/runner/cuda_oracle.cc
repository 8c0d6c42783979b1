#include "halide_ext/runner/cuda_oracle.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

absl::StatusOr<std::vector<bool>> CudaOracle::AreValid(
    absl::Span<const Candidate> candidates) {
  std::vector<Schedule> schedules;
  for (const Candidate& candidate : candidates) {
    ASSIGN_OR_RETURN(schedules.emplace_back(), space_.ScheduleOf(candidate));
  }
  std::vector<bool> valid;
  for (const Assessment& assessment : assessor_.Assess(workload_, schedules)) {
    if (assessment.failure &&
        assessment.failure->kind == FailureKind::kLostWorker) {
      return absl::UnavailableError(assessment.failure->message);
    }
    valid.push_back(!assessment.failure);
  }
  return valid;
}

absl::StatusOr<uint64_t> CudaOracle::KeyOf(const Candidate& candidate,
                                           const std::string& version) const {
  ASSIGN_OR_RETURN(const Schedule schedule, space_.ScheduleOf(candidate));
  return Fingerprint(absl::StrCat(ToString(workload_.key), " ",
                                  ToString(TargetKeyOf(assessor_.target())),
                                  " ", version, "\n", PrintSchedule(schedule)));
}

}  // namespace pruner
