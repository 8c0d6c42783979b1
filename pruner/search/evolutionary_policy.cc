#include "pruner/search/evolutionary_policy.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/evolution.h"
#include "pruner/search/initialization.h"
#include "pruner/search/measured_candidates.h"
#include "pruner/search/spread.h"

namespace pruner {
namespace {

// More than are asked for are kept: some make schedules that are known.
constexpr size_t kSpares = 3;

// Among so many of the best there are some with other tiles.
constexpr size_t kSpreadAmong = 1024;

int NumComputed(const ComputeDag& dag) {
  return static_cast<int>(std::count_if(
      dag.stages().begin(), dag.stages().end(), [](const Stage& stage) {
        return stage.kind != StageKind::kPlaceholder;
      }));
}

}  // namespace

absl::StatusOr<std::unique_ptr<EvolutionaryPolicy>> EvolutionaryPolicy::Create(
    const PolicyInputs& inputs, const EvolutionaryParameters& parameters) {
  if (inputs.cost == nullptr && parameters.draft.size == 0) {
    return absl::InvalidArgumentError(
        "evolution needs a learned model to guide it");
  }
  if (parameters.draft.size > 0 && inputs.draft == nullptr)
    return absl::InvalidArgumentError("drafts need a draft model");
  ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> space, MakeSpace(inputs));
  ASSIGN_OR_RETURN(std::vector<Proposal> first, FirstProposals(inputs));
  return absl::WrapUnique(new EvolutionaryPolicy(
      inputs, parameters, std::move(space), std::move(first)));
}

EvolutionaryPolicy::EvolutionaryPolicy(const PolicyInputs& inputs,
                                       const EvolutionaryParameters& parameters,
                                       std::unique_ptr<ScheduleSpace> space,
                                       std::vector<Proposal> first)
    : parameters_(parameters),
      model_(inputs.cost),
      space_(std::move(space)),
      first_(std::move(first)),
      seed_(inputs.seed),
      spreads_(inputs.initialization.task_trials >= parameters.spread_trials),
      measured_(*space_, static_cast<size_t>(parameters.measured_share *
                                             parameters.evolution.population)),
      first_batch_(inputs.initialization, *space_, kFirstDraw, inputs.seed) {
  if (NumComputed(inputs.context.dag) < parameters.near.least_stages &&
      inputs.initialization.task_trials < parameters.near.least_trials) {
    parameters_.near.share = 0;
  }
  if (parameters.draft.size > 0)
    draft_scorer_.emplace(*inputs.draft, inputs.context.target);
  if (model_ == nullptr) return;
  SecondOpinion second = {.weight = parameters_.draft_weight};
  if (draft_scorer_ && second.weight > 0) second.draft = inputs.draft;
  learned_scorer_.emplace(*model_, inputs.columns, inputs.context.target,
                          second);
}

absl::StatusOr<std::vector<Proposal>> EvolutionaryPolicy::Propose(int n,
                                                                  Rng& rng) {
  CHECK_GT(n, 0);
  RETURN_IF_ERROR(first_batch_.Prepare().status());
  RETURN_IF_ERROR(DraftFor(n));
  const auto wanted = static_cast<size_t>(n);
  std::vector<Proposal> proposals;
  measured_.ProposeUnknown(first_, wanted, proposals);
  CandidateSet pool;
  std::vector<Candidate> batch = first_batch_.candidates();
  std::erase_if(batch, [this](const Candidate& candidate) {
    return measured_.IsKnown(candidate);
  });
  RETURN_IF_ERROR(Take(batch, wanted, pool, proposals));
  if (proposals.size() < wanted) {
    RETURN_IF_ERROR(Search(n, rng, pool, proposals));
  }
  return proposals;
}

absl::Status EvolutionaryPolicy::Search(int n, Rng& rng, CandidateSet& pool,
                                        std::vector<Proposal>& proposals) {
  const auto wanted = static_cast<size_t>(n);
  const bool is_guided =
      (model_ == nullptr || model_->is_trained()) &&
      measured_.num_known() >= parameters_.draft.first_trials;
  // Rounded up or down by chance, so that short rounds have their share.
  const auto share = [&](double of_all) {
    return static_cast<size_t>(of_all * n + rng.Real());
  };
  Evolution evolution(*space_, Verifier(), parameters_.evolution);
  ASSIGN_OR_RETURN(std::vector<Candidate> random,
                   SampleDistinct(*space_, parameters_.random_candidates,
                                  parameters_.attempts, rng, rejections_,
                                  [&](const Candidate& candidate) {
                                    return is_guided ? evolution.Add(candidate)
                                                     : absl::OkStatus();
                                  }));
  std::vector<Candidate> best;
  if (is_guided) {
    const size_t keep = std::max(spreads_ ? kSpreadAmong : 0, kSpares * wanted);
    ASSIGN_OR_RETURN(best, BestOf(evolution, keep, rng));
    if (spreads_) best = SpreadOverTiles(*space_, best, wanted);
  } else {
    best =
        parameters_.draft.first_trials > 0 ? SpreadOverRanks(draft_) : draft_;
  }
  std::erase_if(random, [this](const Candidate& candidate) {
    return first_batch_.IsKnownInvalid(candidate);
  });
  const size_t without_random =
      wanted - std::min(wanted, share(parameters_.random_share));
  if (is_guided && parameters_.near.share > 0) {
    const size_t num_near =
        std::min(without_random, share(parameters_.near.share));
    RETURN_IF_ERROR(Take(best, without_random - num_near, pool, proposals));
    ASSIGN_OR_RETURN(const std::vector<Candidate> near,
                     NearBest(kSpares * num_near, rng));
    RETURN_IF_ERROR(Take(near, without_random, pool, proposals));
  }
  RETURN_IF_ERROR(Take(best, without_random, pool, proposals));
  return Take(random, wanted, pool, proposals);
}

absl::StatusOr<std::vector<Candidate>> EvolutionaryPolicy::NearBest(size_t keep,
                                                                    Rng& rng) {
  Evolution evolution(*space_, Verifier(),
                      {.population = parameters_.near.mutants,
                       .generations = 1,
                       .mutation_probability = 1,
                       .distinct_scores = true});
  const auto& best = measured_.best();
  for (size_t i = 0; i < std::min(parameters_.near.parents, best.size()); ++i)
    RETURN_IF_ERROR(evolution.Add(best[i].candidate));
  RETURN_IF_ERROR(evolution.Run(rng, rejections_));
  return evolution.Best(
      keep, [&](const Candidate& candidate) { return IsNew(candidate); });
}

CandidateScorer& EvolutionaryPolicy::Verifier() {
  if (learned_scorer_) return *learned_scorer_;
  return *draft_scorer_;
}

absl::Status EvolutionaryPolicy::DraftFor(int n) {
  if (!draft_scorer_) return absl::OkStatus();
  const int64_t number =
      measured_.num_known() / (int64_t{n} * parameters_.draft.rounds);
  if (number == draft_number_) return absl::OkStatus();
  Rng rng = Rng(seed_).Fork(static_cast<uint64_t>(number));
  Evolution evolution(*space_, *draft_scorer_, parameters_.draft.evolution);
  RETURN_IF_ERROR(evolution.RunFromRandom(parameters_.draft.random_candidates,
                                          parameters_.attempts, rng,
                                          rejections_));
  // What is known is left out when it is proposed: a draft is the same whatever
  // has been measured.
  draft_ = evolution.Best(static_cast<size_t>(parameters_.draft.size),
                          [](const Candidate&) { return true; });
  draft_number_ = number;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Candidate>> EvolutionaryPolicy::BestOf(
    Evolution& evolution, size_t keep, Rng& rng) {
  for (const Candidate& drafted : draft_)
    RETURN_IF_ERROR(evolution.Add(drafted));
  for (const auto& measured : measured_.best())
    RETURN_IF_ERROR(evolution.Add(measured.candidate));
  RETURN_IF_ERROR(evolution.Run(rng, rejections_));
  return evolution.Best(
      keep, [&](const Candidate& candidate) { return IsNew(candidate); });
}

bool EvolutionaryPolicy::IsNew(const Candidate& candidate) const {
  return !measured_.IsKnown(candidate) &&
         !first_batch_.IsKnownInvalid(candidate);
}

void EvolutionaryPolicy::Observe(const Proposal& proposal,
                                 const MeasureResult& result) {
  first_batch_.Observe(measured_.Observe(proposal, result), result);
}

absl::Status EvolutionaryPolicy::Take(absl::Span<const Candidate> candidates,
                                      size_t n, CandidateSet& pool,
                                      std::vector<Proposal>& proposals) {
  for (const Candidate& candidate : candidates) {
    if (proposals.size() >= n) break;
    ASSIGN_OR_RETURN(std::optional<Proposal> proposal,
                     measured_.ProposeNew(candidate, pool));
    if (!proposal) {
      ++rejections_[kRepeated];
      continue;
    }
    measured_.MarkProposed(candidate, proposal->schedule);
    proposals.push_back(*std::move(proposal));
  }
  return absl::OkStatus();
}

}  // namespace pruner
