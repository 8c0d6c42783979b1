#include "tools/initialization/study_run.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/select_diverse.h"
#include "pruner/search/annealing_search.h"
#include "pruner/sketch/candidate.h"
#include "tools/initialization/study_space.h"

namespace pruner {
namespace {

absl::StatusOr<Presample> Look(const StudySpace& space,
                               const Initialization& initialization,
                               SearchSpace& points, Rng& rng) {
  StudyOracle oracle(space);
  return PresampleSpace(
      points, oracle,
      {.batch = initialization.first_batch,
       .candidates = int64_t{initialization.points_per_trial} *
                     initialization.first_batch},
      rng);
}

}  // namespace

absl::StatusOr<StudyRun> RunStudy(const StudySpace& space,
                                  const Initialization& initialization,
                                  uint64_t seed, const StudyOptions& options) {
  Rng rng(seed);
  KnobSearchSpace points(space.knobs());
  AnnealingSearch search(points, {.batch = options.batch,
                                  .valid_bonus = initialization.valid_bonus});
  StudyRun run;
  if (initialization.presamples) {
    ASSIGN_OR_RETURN(const Presample found,
                     Look(space, initialization, points, rng));
    run.presampled = static_cast<int64_t>(found.size());
    std::vector<Candidate> first;
    if (initialization.selects) {
      first = SelectDiverse(points, found, initialization.first_batch,
                            initialization.valid_share, rng);
    }
    search.BeginWith(initialization.biases ? found : Presample(),
                     std::move(first));
  }
  if (initialization.base) search.BeginWith(initialization.base);
  while (static_cast<int>(run.points.size()) < options.trials) {
    const int count =
        run.points.empty() && initialization.selects
            ? initialization.first_batch
            : std::min(options.batch,
                       options.trials - static_cast<int>(run.points.size()));
    ASSIGN_OR_RETURN(
        const std::vector<Candidate> next,
        search.Next(count, [](const Candidate&) { return true; }, rng));
    if (next.empty()) break;
    const bool is_first = run.points.empty();
    for (const Candidate& candidate : next) {
      const double throughput = space.ThroughputOf(candidate);
      search.Observe(candidate, throughput);
      run.points.push_back(space.IndexOf(candidate));
      if (is_first && throughput > 0) ++run.first_valid;
      if (run.trials_to_optimum == 0 && throughput == space.best())
        run.trials_to_optimum = static_cast<int>(run.points.size());
    }
    if (run.trials_to_optimum > 0 && options.ends_at_optimum) break;
  }
  return run;
}

}  // namespace pruner
