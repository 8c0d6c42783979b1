#include "pruner/search/random_mutation_policy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/log/check.h"
#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/measured_candidates.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<RandomMutationPolicy>>
RandomMutationPolicy::Create(const PolicyInputs& inputs,
                             const RandomMutationParameters& parameters) {
  ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> space, MakeSpace(inputs));
  ASSIGN_OR_RETURN(std::vector<Proposal> first, FirstProposals(inputs));
  return absl::WrapUnique(new RandomMutationPolicy(
      inputs, parameters, std::move(space), std::move(first)));
}

RandomMutationPolicy::RandomMutationPolicy(
    const PolicyInputs& inputs, const RandomMutationParameters& parameters,
    std::unique_ptr<ScheduleSpace> space, std::vector<Proposal> first)
    : context_(inputs.context),
      draft_(inputs.draft),
      parameters_(parameters),
      space_(std::move(space)),
      first_(std::move(first)),
      measured_(*space_, parameters.parents) {}

absl::StatusOr<std::vector<Proposal>> RandomMutationPolicy::Propose(int n,
                                                                    Rng& rng) {
  CHECK_GT(n, 0);
  std::vector<Proposal> proposals;
  measured_.ProposeUnknown(first_, static_cast<size_t>(n), proposals);

  const size_t wanted = n - proposals.size();
  const size_t oversampling = draft_ == nullptr ? 1 : parameters_.oversampling;
  const int64_t trials = measured_.num_known();
  CandidateSet in_pool;
  std::vector<Drawn> pool;
  while (pool.size() < wanted * oversampling) {
    const auto trial =
        trials + static_cast<int64_t>(pool.size() / oversampling);
    const bool breed = ChooseBreeding(trial, rng);
    ASSIGN_OR_RETURN(std::optional<Drawn> drawn, DrawNew(breed, rng, in_pool));
    if (!drawn) {
      ASSIGN_OR_RETURN(drawn, DrawNew(!breed, rng, in_pool));
    }
    if (!drawn) break;
    pool.push_back(*std::move(drawn));
  }

  // Those of equal score in the order drawn.
  std::stable_sort(
      pool.begin(), pool.end(),
      [](const Drawn& a, const Drawn& b) { return a.score > b.score; });
  if (pool.size() > wanted) pool.resize(wanted);
  for (Drawn& drawn : pool) {
    measured_.MarkProposed(drawn.candidate, drawn.proposal.schedule);
    proposals.push_back(std::move(drawn.proposal));
  }
  return proposals;
}

bool RandomMutationPolicy::ChooseBreeding(int64_t trial, Rng& rng) const {
  if (trial < parameters_.random_trials || measured_.best().empty())
    return false;
  return !rng.Chance(parameters_.random_share);
}

absl::StatusOr<std::optional<RandomMutationPolicy::Drawn>>
RandomMutationPolicy::DrawNew(bool breed, Rng& rng, CandidateSet& pool) {
  if (breed && measured_.best().empty()) return std::nullopt;
  for (int attempt = 0; attempt < parameters_.attempts; ++attempt) {
    ASSIGN_OR_RETURN(const CandidateDraw draw,
                     breed ? Breed(rng) : Sample(*space_, rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++rejections_[std::string(RejectionName(*rejection))];
      continue;
    }
    const auto& candidate = std::get<Candidate>(draw);
    ASSIGN_OR_RETURN(std::optional<Proposal> proposal,
                     measured_.ProposeNew(candidate, pool));
    if (!proposal) {
      ++rejections_[kRepeated];
      continue;
    }
    double score = 0;
    if (draft_ != nullptr) {
      ASSIGN_OR_RETURN(const Program* const program,
                       space_->ProgramOf(candidate));
      score = draft_->Score(*program, context_.target);
    }
    return Drawn{.candidate = candidate,
                 .proposal = *std::move(proposal),
                 .score = score};
  }
  return std::nullopt;
}

std::vector<double> RandomMutationPolicy::ParentWeights() const {
  std::vector<double> weights;
  weights.reserve(measured_.best().size());
  for (size_t rank = 0; rank < measured_.best().size(); ++rank) {
    weights.push_back(1.0 / static_cast<double>(rank + 1));
  }
  return weights;
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::Breed(Rng& rng) {
  const bool cross = parameters_.crossover > 0 && measured_.best().size() > 1 &&
                     rng.Chance(parameters_.crossover);
  return cross ? CrossTwoParents(rng) : MutateAParent(rng);
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::CrossTwoParents(Rng& rng) {
  std::vector<double> weights = ParentWeights();
  const size_t first = rng.WeightedIndex(weights);
  weights[first] = 0;
  const size_t second = rng.WeightedIndex(weights);
  return Cross(*space_, measured_.best()[first].candidate,
               measured_.best()[second].candidate, rng);
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::MutateAParent(Rng& rng) {
  CandidateDraw draw =
      measured_.best()[rng.WeightedIndex(ParentWeights())].candidate;
  int mutations = 0;
  do {
    const Candidate parent = std::get<Candidate>(draw);
    ASSIGN_OR_RETURN(draw, Mutate(*space_, parent, rng));
  } while (std::holds_alternative<Candidate>(draw) &&
           ++mutations < parameters_.max_mutations &&
           rng.Chance(parameters_.mutate_again));
  return draw;
}

}  // namespace pruner
