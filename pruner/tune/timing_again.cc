#include "pruner/tune/timing_again.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// So often races that were disturbed are run again.
constexpr int kRacesAgain = 2;

}  // namespace

void TimingAgain::Add(const MeasureRecord& record) {
  fastest_.Add(record);
  second_timings_.Add(record);
}

absl::Status TimingAgain::Run(const Tools& tools) const {
  if (races_) {
    RETURN_IF_ERROR(RunAllRaces(tools));
  }
  return RunRaces(PlanSecondTimings(tools), /*run_offs=*/false, tools);
}

absl::Status TimingAgain::RunAllRaces(const Tools& tools) const {
  const std::vector<Race> races = PlanRaces(tools.tasks, tools.best, fastest_);
  RETURN_IF_ERROR(RunRaces(races, /*run_offs=*/true, tools));
  for (int again = 0; again < kRacesAgain && !tools.interrupted(); ++again) {
    RETURN_IF_ERROR(RunRaces(DisturbedRaces(races, tools.tasks, tools.best),
                             /*run_offs=*/true, tools));
  }
  return absl::OkStatus();
}

std::vector<Race> TimingAgain::PlanSecondTimings(const Tools& tools) const {
  std::vector<Race> races;
  for (size_t i = 0; i < tools.tasks.size(); ++i) {
    Race race = {.task = i,
                 .candidates = second_timings_.Of(tools.tasks[i].key)};
    if (!race.candidates.empty()) races.push_back(std::move(race));
  }
  return races;
}

absl::Status TimingAgain::RunRaces(absl::Span<const Race> races, bool run_offs,
                                   const Tools& tools) const {
  for (size_t i = 0; i < races.size() && !tools.interrupted(); ++i) {
    const Race& race = races[i];
    tools.listener(i, races.size());
    RETURN_IF_ERROR(tools.measure(race.task, race.candidates));
    if (!run_offs || tools.interrupted()) continue;
    const std::vector<Proposal> finalists =
        PlanRunOff(race, fastest_.Of(tools.tasks[race.task].key));
    if (finalists.empty()) continue;
    RETURN_IF_ERROR(tools.measure(race.task, finalists));
  }
  return absl::OkStatus();
}

}  // namespace pruner
