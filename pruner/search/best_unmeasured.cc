#include "pruner/search/best_unmeasured.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/schedule_hash.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/evolution.h"

namespace pruner {
namespace {

// More than are asked for are looked at: some make the same schedule.
constexpr size_t kSpares = 3;

}  // namespace

absl::StatusOr<std::vector<ScoredProposal>> BestUnmeasured(
    const PolicyInputs& inputs, size_t n, Rng& rng,
    const UnmeasuredParameters& parameters) {
  CHECK(inputs.draft != nullptr);
  ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                   MakeSpace(inputs));
  DraftScorer scorer(*inputs.draft, inputs.context.target);
  Evolution evolution(*space, scorer, parameters.evolution);
  RejectionCounts rejections;
  RETURN_IF_ERROR(evolution.RunFromRandom(
      parameters.random_candidates, parameters.attempts, rng, rejections));
  std::vector<ScoredProposal> proposals;
  absl::flat_hash_set<uint64_t> known;
  for (const Candidate& candidate :
       evolution.Best(kSpares * n, [](const Candidate&) { return true; })) {
    if (proposals.size() == n) break;
    ASSIGN_OR_RETURN(Schedule schedule, space->ScheduleOf(candidate));
    if (!known.insert(ScheduleHash(schedule)).second) continue;
    proposals.push_back({.proposal = {.schedule = std::move(schedule),
                                      .genes = space->GenesOf(candidate)},
                         .score = evolution.ScoreOf(candidate)});
  }
  return proposals;
}

}  // namespace pruner
