#include "pruner/search/random_mutation_policy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/log/check.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/hash.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"

namespace pruner {
namespace {

uint64_t Key(const Schedule& schedule) {
  return Fingerprint(PrintSchedule(schedule));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RandomMutationPolicy>>
RandomMutationPolicy::Create(const PolicyInputs& inputs,
                             const RandomMutationParameters& parameters) {
  ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                   GenerateSketches(inputs.context, inputs.rules));
  ASSIGN_OR_RETURN(ScheduleSampler sampler,
                   ScheduleSampler::Create(inputs.context, sketches));
  ASSIGN_OR_RETURN(Schedule default_schedule, sampler.DefaultSchedule());
  return absl::WrapUnique(new RandomMutationPolicy(
      inputs, parameters, std::move(sampler), std::move(default_schedule)));
}

RandomMutationPolicy::RandomMutationPolicy(
    const PolicyInputs& inputs, const RandomMutationParameters& parameters,
    ScheduleSampler sampler, Schedule default_schedule)
    : context_(inputs.context),
      draft_(inputs.draft),
      parameters_(parameters),
      sampler_(std::move(sampler)),
      default_(std::move(default_schedule)) {}

absl::StatusOr<std::vector<Schedule>> RandomMutationPolicy::Propose(int n,
                                                                    Rng& rng) {
  CHECK_GT(n, 0);
  std::vector<Schedule> proposals;
  if (seen_.insert(Key(default_)).second) proposals.push_back(default_);

  const size_t wanted = n - proposals.size();
  const size_t oversampling = draft_ == nullptr ? 1 : parameters_.oversampling;
  const auto trials = static_cast<int64_t>(seen_.size());
  std::set<uint64_t> in_pool;
  std::vector<Schedule> pool;
  while (pool.size() < wanted * oversampling) {
    const auto trial =
        trials + static_cast<int64_t>(pool.size() / oversampling);
    const bool breed = ChooseBreeding(trial, rng);
    ASSIGN_OR_RETURN(std::optional<Schedule> candidate,
                     DrawNew(breed, rng, in_pool));
    if (!candidate) {
      ASSIGN_OR_RETURN(candidate, DrawNew(!breed, rng, in_pool));
    }
    if (!candidate) break;
    pool.push_back(*std::move(candidate));
  }

  if (draft_ != nullptr) {
    RETURN_IF_ERROR(Rank(pool));
  }
  if (pool.size() > wanted) pool.resize(wanted);
  for (Schedule& schedule : pool) {
    seen_.insert(Key(schedule));
    proposals.push_back(std::move(schedule));
  }
  return proposals;
}

bool RandomMutationPolicy::ChooseBreeding(int64_t trial, Rng& rng) const {
  if (trial < parameters_.random_trials || parents_.empty()) return false;
  return !rng.Chance(parameters_.random_share);
}

absl::StatusOr<std::optional<Schedule>> RandomMutationPolicy::DrawNew(
    bool breed, Rng& rng, std::set<uint64_t>& pool) {
  if (breed && parents_.empty()) return std::nullopt;
  for (int attempt = 0; attempt < parameters_.attempts; ++attempt) {
    ASSIGN_OR_RETURN(Draw draw, breed ? Breed(rng) : sampler_.Sample(rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++rejections_[std::string(RejectionName(*rejection))];
      continue;
    }
    auto& schedule = std::get<Schedule>(draw);
    const uint64_t key = Key(schedule);
    if (seen_.contains(key) || !pool.insert(key).second) {
      ++rejections_[kRepeated];
      continue;
    }
    return std::move(schedule);
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

absl::StatusOr<Draw> RandomMutationPolicy::Breed(Rng& rng) {
  const bool cross = parameters_.crossover > 0 && parents_.size() > 1 &&
                     rng.Chance(parameters_.crossover);
  return cross ? CrossTwoParents(rng) : MutateAParent(rng);
}

absl::StatusOr<Draw> RandomMutationPolicy::CrossTwoParents(Rng& rng) {
  std::vector<double> weights = ParentWeights();
  const size_t first = rng.WeightedIndex(weights);
  weights[first] = 0;
  const size_t second = rng.WeightedIndex(weights);
  return sampler_.Cross(parents_[first].schedule, parents_[second].schedule,
                        rng);
}

absl::StatusOr<Draw> RandomMutationPolicy::MutateAParent(Rng& rng) {
  Draw draw = parents_[rng.WeightedIndex(ParentWeights())].schedule;
  int mutations = 0;
  do {
    ASSIGN_OR_RETURN(draw, sampler_.Mutate(std::get<Schedule>(draw), rng));
  } while (std::holds_alternative<Schedule>(draw) &&
           ++mutations < parameters_.max_mutations &&
           rng.Chance(parameters_.mutate_again));
  return draw;
}

absl::Status RandomMutationPolicy::Rank(
    std::vector<Schedule>& candidates) const {
  std::vector<double> scores;
  for (const Schedule& schedule : candidates) {
    ASSIGN_OR_RETURN(const LoopState state, Replay(context_.dag, schedule));
    scores.push_back(draft_->Score(state, context_.target));
  }
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  std::vector<Schedule> ranked;
  ranked.reserve(order.size());
  for (const size_t i : order) ranked.push_back(std::move(candidates[i]));
  candidates = std::move(ranked);
  return absl::OkStatus();
}

void RandomMutationPolicy::Observe(const Schedule& schedule,
                                   const MeasureResult& result) {
  seen_.insert(Key(schedule));
  // What an older version made may not fit any more; it is no parent then.
  if (!result.ok() || !sampler_.CanMutate(schedule) ||
      !Replay(context_.dag, schedule).ok()) {
    return;
  }
  const double cost = Cost(result);
  const auto place = std::upper_bound(
      parents_.begin(), parents_.end(), cost,
      [](double c, const Parent& parent) { return c < parent.cost; });
  parents_.insert(place, {.schedule = schedule, .cost = cost});
  if (parents_.size() > static_cast<size_t>(parameters_.parents)) {
    parents_.pop_back();
  }
}

}  // namespace pruner
