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
#include "absl/log/log.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/schedule_hash.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<RandomMutationPolicy>>
RandomMutationPolicy::Create(const PolicyInputs& inputs,
                             const RandomMutationParameters& parameters) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<ScheduleSpace> space,
      ScheduleSpace::Create(inputs.context, {.sampling = inputs.sampling,
                                             .rules = inputs.rules}));
  ASSIGN_OR_RETURN(Schedule default_schedule,
                   pruner::DefaultSchedule(inputs.context));
  return absl::WrapUnique(new RandomMutationPolicy(
      inputs, parameters, std::move(space), std::move(default_schedule)));
}

RandomMutationPolicy::RandomMutationPolicy(
    const PolicyInputs& inputs, const RandomMutationParameters& parameters,
    std::unique_ptr<ScheduleSpace> space, Schedule default_schedule)
    : context_(inputs.context),
      draft_(inputs.draft),
      parameters_(parameters),
      space_(std::move(space)),
      default_(std::move(default_schedule)) {}

absl::StatusOr<std::vector<Proposal>> RandomMutationPolicy::Propose(int n,
                                                                    Rng& rng) {
  CHECK_GT(n, 0);
  std::vector<Proposal> proposals;
  if (known_.schedules.insert(ScheduleHash(default_)).second)
    proposals.push_back({.schedule = default_});

  const size_t wanted = n - proposals.size();
  const size_t oversampling = draft_ == nullptr ? 1 : parameters_.oversampling;
  const auto trials = static_cast<int64_t>(known_.schedules.size());
  Known in_pool;
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
    known_.schedules.insert(ScheduleHash(drawn.schedule));
    known_.candidates.insert(drawn.candidate);
    proposals.push_back({.schedule = std::move(drawn.schedule),
                         .genes = space_->GenesOf(drawn.candidate)});
  }
  return proposals;
}

bool RandomMutationPolicy::ChooseBreeding(int64_t trial, Rng& rng) const {
  if (trial < parameters_.random_trials || parents_.empty()) return false;
  return !rng.Chance(parameters_.random_share);
}

absl::StatusOr<std::optional<RandomMutationPolicy::Drawn>>
RandomMutationPolicy::DrawNew(bool breed, Rng& rng, Known& pool) {
  if (breed && parents_.empty()) return std::nullopt;
  for (int attempt = 0; attempt < parameters_.attempts; ++attempt) {
    ASSIGN_OR_RETURN(const CandidateDraw draw,
                     breed ? Breed(rng) : Sample(*space_, rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++rejections_[std::string(RejectionName(*rejection))];
      continue;
    }
    const auto& candidate = std::get<Candidate>(draw);
    if (known_.candidates.contains(candidate) ||
        !pool.candidates.insert(candidate).second) {
      ++rejections_[kRepeated];
      continue;
    }
    ASSIGN_OR_RETURN(Schedule schedule, space_->ScheduleOf(candidate));
    const uint64_t hash = ScheduleHash(schedule);
    AdoptResult(hash, candidate);
    if (known_.schedules.contains(hash) ||
        !pool.schedules.insert(hash).second) {
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
                 .schedule = std::move(schedule),
                 .score = score};
  }
  return std::nullopt;
}

std::vector<double> RandomMutationPolicy::ParentWeights() const {
  std::vector<double> weights;
  weights.reserve(parents_.size());
  for (size_t rank = 0; rank < parents_.size(); ++rank) {
    weights.push_back(1.0 / static_cast<double>(rank + 1));
  }
  return weights;
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::Breed(Rng& rng) {
  const bool cross = parameters_.crossover > 0 && parents_.size() > 1 &&
                     rng.Chance(parameters_.crossover);
  return cross ? CrossTwoParents(rng) : MutateAParent(rng);
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::CrossTwoParents(Rng& rng) {
  std::vector<double> weights = ParentWeights();
  const size_t first = rng.WeightedIndex(weights);
  weights[first] = 0;
  const size_t second = rng.WeightedIndex(weights);
  return Cross(*space_, parents_[first].candidate, parents_[second].candidate,
               rng);
}

absl::StatusOr<CandidateDraw> RandomMutationPolicy::MutateAParent(Rng& rng) {
  CandidateDraw draw = parents_[rng.WeightedIndex(ParentWeights())].candidate;
  int mutations = 0;
  do {
    const Candidate parent = std::get<Candidate>(draw);
    ASSIGN_OR_RETURN(draw, Mutate(*space_, parent, rng));
  } while (std::holds_alternative<Candidate>(draw) &&
           ++mutations < parameters_.max_mutations &&
           rng.Chance(parameters_.mutate_again));
  return draw;
}

std::optional<Candidate> RandomMutationPolicy::CandidateOf(
    const Proposal& proposal) {
  if (proposal.genes.empty()) return std::nullopt;
  absl::Status status;
  absl::StatusOr<Candidate> candidate = space_->Parse(proposal.genes);
  if (candidate.ok()) {
    const absl::StatusOr<Schedule> schedule = space_->ScheduleOf(*candidate);
    if (schedule.ok() && *schedule == proposal.schedule)
      return *std::move(candidate);
    status = absl::FailedPreconditionError("they make another schedule now");
  } else {
    status = candidate.status();
  }
  if (!has_dropped_genes_) {
    LOG(INFO) << "Genes of an earlier run are dropped, and so may others be; "
                 "the results count: "
              << status.message();
  }
  has_dropped_genes_ = true;
  return std::nullopt;
}

void RandomMutationPolicy::Observe(const Proposal& proposal,
                                   const MeasureResult& result) {
  known_.schedules.insert(ScheduleHash(proposal.schedule));
  const std::optional<Candidate> candidate = CandidateOf(proposal);
  if (candidate) known_.candidates.insert(*candidate);
  if (!result.ok()) return;
  if (candidate) {
    AddParent(*candidate, Cost(result));
  } else {
    without_genes_.emplace(ScheduleHash(proposal.schedule), Cost(result));
  }
}

void RandomMutationPolicy::AdoptResult(uint64_t hash,
                                       const Candidate& candidate) {
  const auto found = without_genes_.find(hash);
  if (found == without_genes_.end()) return;
  known_.candidates.insert(candidate);
  AddParent(candidate, found->second);
  without_genes_.erase(found);
}

void RandomMutationPolicy::AddParent(const Candidate& candidate, double cost) {
  const auto place = std::upper_bound(
      parents_.begin(), parents_.end(), cost,
      [](double c, const Parent& parent) { return c < parent.cost; });
  parents_.insert(place, {.candidate = candidate, .cost = cost});
  if (parents_.size() > static_cast<size_t>(parameters_.parents)) {
    parents_.pop_back();
  }
}

}  // namespace pruner
