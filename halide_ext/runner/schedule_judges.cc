#include "halide_ext/runner/schedule_judges.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measure_result.h"
#include "pruner/measure/measurer.h"
#include "pruner/sample/schedule_oracle.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/workload/workload.h"

namespace pruner {

ScheduleJudge JudgeByCompiling(const Workload& workload, MeasurePolicy policy,
                               WorkerMeasurer& measurer,
                               Measurer::IsUnwanted is_unwanted) {
  return [&workload, policy, &measurer, is_unwanted = std::move(is_unwanted)](
             absl::Span<const Schedule> schedules)
             -> absl::StatusOr<std::vector<bool>> {
    ASSIGN_OR_RETURN(const std::vector<std::optional<Failure>> failures,
                     measurer.Check(workload, policy, schedules, is_unwanted));
    std::vector<bool> valid;
    valid.reserve(failures.size());
    for (const std::optional<Failure>& failure : failures)
      valid.push_back(!failure);
    return valid;
  };
}

ScheduleJudge JudgeByPtxas(const Workload& workload, CudaAssessor& assessor) {
  return [&workload, &assessor](absl::Span<const Schedule> schedules)
             -> absl::StatusOr<std::vector<bool>> {
    ASSIGN_OR_RETURN(const std::vector<Assessment> assessments,
                     assessor.Assess(workload, schedules));
    std::vector<bool> valid;
    valid.reserve(assessments.size());
    for (const Assessment& assessment : assessments)
      valid.push_back(!assessment.failure);
    return valid;
  };
}

}  // namespace pruner
