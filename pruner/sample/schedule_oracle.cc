#include "pruner/sample/schedule_oracle.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

absl::StatusOr<std::vector<bool>> ScheduleOracle::AreValid(
    absl::Span<const Candidate> candidates) {
  std::vector<Schedule> schedules;
  schedules.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    ASSIGN_OR_RETURN(schedules.emplace_back(), space_.ScheduleOf(candidate));
  }
  return judge_(schedules);
}

absl::StatusOr<uint64_t> JudgementKey(ScheduleSpace& space,
                                      WorkloadKey workload,
                                      const std::string& judge,
                                      const Candidate& candidate) {
  ASSIGN_OR_RETURN(const Schedule schedule, space.ScheduleOf(candidate));
  return Fingerprint(absl::StrCat(ToString(workload), " ",
                                  ToString(TargetKeyOf(space.target())), " ",
                                  judge, "\n", PrintSchedule(schedule)));
}

}  // namespace pruner
