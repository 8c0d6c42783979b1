#include "pruner/sample/schedule_sampler.h"

#include <utility>

#include "absl/status/status.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/sample.h"
#include "pruner/schedule/schedule_hash.h"

namespace pruner {

absl::StatusOr<ScheduleSampler> ScheduleSampler::Create(
    const SketchContext& context, const std::vector<Sketch>& sketches,
    Sampling sampling) {
  ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> space,
                   ScheduleSpace::CreateOf(context, sketches, sampling));
  return ScheduleSampler(context, std::move(space));
}

ScheduleSampler::ScheduleSampler(const SketchContext& context,
                                 std::unique_ptr<ScheduleSpace> space)
    : context_(context), space_(std::move(space)) {}

absl::StatusOr<Draw> ScheduleSampler::Keep(const CandidateDraw& draw) {
  if (const auto* rejection = std::get_if<Rejection>(&draw)) return *rejection;
  const auto& candidate = std::get<Candidate>(draw);
  ASSIGN_OR_RETURN(Schedule schedule, space_->ScheduleOf(candidate));
  drawn_[ScheduleHash(schedule)] = candidate;
  return schedule;
}

absl::StatusOr<Draw> ScheduleSampler::Sample(Rng& rng) {
  ASSIGN_OR_RETURN(const CandidateDraw draw, pruner::Sample(*space_, rng));
  return Keep(draw);
}

absl::StatusOr<Draw> ScheduleSampler::Mutate(const Schedule& schedule,
                                             Rng& rng) {
  const auto candidate = drawn_.find(ScheduleHash(schedule));
  if (candidate == drawn_.end()) {
    return absl::InvalidArgumentError(
        "the schedule was not drawn by this sampler");
  }
  ASSIGN_OR_RETURN(const CandidateDraw draw,
                   pruner::Mutate(*space_, candidate->second, rng));
  return Keep(draw);
}

absl::StatusOr<Schedule> ScheduleSampler::DefaultSchedule() const {
  return pruner::DefaultSchedule(context_);
}

}  // namespace pruner
