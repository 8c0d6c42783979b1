#include "pruner/search/evolution.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// So many draws for each child, before there are fewer.
constexpr int kDrawsPerChild = 4;

}  // namespace

// Draws candidates of a population with a probability proportional to a power
// of their scores.
class ParentDraw {
 public:
  using Scored = std::pair<const Candidate, double>;

  ParentDraw(std::vector<const Scored*> population, double power)
      : population_(std::move(population)) {
    double sum = 0;
    sums_.reserve(population_.size());
    for (const Scored* const scored : population_)
      sums_.push_back(sum += std::pow(std::max(scored->second, 0.0), power));
  }
  const Scored* Draw(Rng& rng) const {
    if (sums_.back() <= 0) return population_[rng.Index(sums_.size())];
    const auto found =
        std::upper_bound(sums_.begin(), sums_.end(), rng.Real() * sums_.back());
    return population_[std::min<size_t>(found - sums_.begin(),
                                        sums_.size() - 1)];
  }

 private:
  const std::vector<const Scored*> population_;
  std::vector<double> sums_;
};

absl::Status Evolution::Add(const Candidate& candidate) {
  const auto [entry, is_new] = scores_.try_emplace(candidate);
  population_.push_back(&*entry);
  if (!is_new) return absl::OkStatus();
  found_.push_back(&*entry);
  return scorer_.Add(space_, candidate);
}

absl::Status Evolution::Run(Rng& rng, RejectionCounts& rejections) {
  RETURN_IF_ERROR(Score());
  for (int generation = 0;
       generation < parameters_.generations && !population_.empty();
       ++generation) {
    RETURN_IF_ERROR(Breed(rng, rejections));
    RETURN_IF_ERROR(Score());
  }
  return absl::OkStatus();
}

absl::Status Evolution::RunFromRandom(size_t count, int attempts, Rng& rng,
                                      RejectionCounts& rejections) {
  RETURN_IF_ERROR(
      SampleDistinct(space_, count, attempts, rng, rejections,
                     [&](const Candidate& candidate) { return Add(candidate); })
          .status());
  return Run(rng, rejections);
}

absl::Status Evolution::Score() {
  ASSIGN_OR_RETURN(const std::vector<double> scores, scorer_.TakeScores());
  CHECK_EQ(scores.size(), found_.size() - num_scored_);
  for (const double score : scores) found_[num_scored_++]->second = score;
  return absl::OkStatus();
}

absl::Status Evolution::Breed(Rng& rng, RejectionCounts& rejections) {
  const ParentDraw draw(std::move(population_), parameters_.selection_power);
  const auto wanted = static_cast<size_t>(parameters_.population);
  population_.clear();
  population_.reserve(wanted);
  for (size_t i = 0; i < kDrawsPerChild * wanted && population_.size() < wanted;
       ++i) {
    ASSIGN_OR_RETURN(const CandidateDraw child, BreedOne(draw, rng));
    if (const auto* rejection = std::get_if<Rejection>(&child)) {
      ++rejections[std::string(RejectionName(*rejection))];
    } else {
      RETURN_IF_ERROR(Add(std::get<Candidate>(child)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<CandidateDraw> Evolution::BreedOne(const ParentDraw& draw,
                                                  Rng& rng) {
  const Candidate& parent = draw.Draw(rng)->first;
  if (rng.Chance(parameters_.crossover))
    return Cross(space_, parent, draw.Draw(rng)->first, rng);
  if (rng.Chance(parameters_.mutation_probability))
    return Mutate(space_, parent, rng);
  return parent;
}

std::vector<Candidate> Evolution::Best(
    size_t keep, absl::FunctionRef<bool(const Candidate&)> is_wanted) const {
  std::vector<const Scored*> sorted(found_.begin(), found_.end());
  // Those of equal score in the order found.
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Scored* a, const Scored* b) { return a->second > b->second; });
  std::vector<Candidate> best, alike;
  double last = 0;  // score in best
  for (const Scored* const scored : sorted) {
    if (best.size() == keep) break;
    const auto& [candidate, score] = *scored;
    if (!is_wanted(candidate)) continue;
    if (parameters_.distinct_scores && !best.empty() && score == last) {
      alike.push_back(candidate);
    } else {
      best.push_back(candidate);
      last = score;
    }
  }
  const size_t more = std::min(keep - best.size(), alike.size());
  best.insert(best.end(), alike.begin(),
              alike.begin() + static_cast<ptrdiff_t>(more));
  return best;
}

absl::StatusOr<std::vector<Candidate>> SampleDistinct(
    ScheduleSpace& space, size_t count, int attempts, Rng& rng,
    RejectionCounts& rejections,
    absl::FunctionRef<absl::Status(const Candidate&)> on_drawn) {
  std::vector<Candidate> candidates;
  absl::flat_hash_set<Candidate> seen;
  for (int failed = 0; candidates.size() < count && failed < attempts;) {
    ASSIGN_OR_RETURN(CandidateDraw draw, Sample(space, rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++rejections[std::string(RejectionName(*rejection))];
      ++failed;
      continue;
    }
    auto& candidate = std::get<Candidate>(draw);
    if (!seen.insert(candidate).second) {
      ++rejections[kRepeated];
      ++failed;
      continue;
    }
    failed = 0;
    RETURN_IF_ERROR(on_drawn(candidate));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace pruner
