#include "pruner/search/evolution.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"

namespace pruner {
namespace {

// So many draws for each child, before there are fewer.
constexpr int kDrawsPerChild = 4;

// Draws indices with a probability proportional to their scores.
class ParentDraw {
 public:
  ParentDraw(absl::Span<const double> scores, double power) {
    double sum = 0;
    sums_.reserve(scores.size());
    for (const double score : scores)
      sums_.push_back(sum += std::pow(std::max(score, 0.0), power));
  }
  size_t Draw(Rng& rng) const {
    if (sums_.back() <= 0) return rng.Index(sums_.size());
    const auto found =
        std::upper_bound(sums_.begin(), sums_.end(), rng.Real() * sums_.back());
    return std::min<size_t>(found - sums_.begin(), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

class Evolution {
 public:
  Evolution(ScheduleSpace& space, CandidateScorer& scorer,
            const EvolutionParameters& parameters, Rng& rng,
            RejectionCounts& rejections)
      : space_(space),
        scorer_(scorer),
        parameters_(parameters),
        rng_(rng),
        rejections_(rejections) {}

  absl::Status Run(std::vector<Candidate> population) {
    for (int generation = 0; !population.empty(); ++generation) {
      ASSIGN_OR_RETURN(const std::vector<double> scores, Score(population));
      if (generation == parameters_.generations) break;
      ASSIGN_OR_RETURN(population, Breed(population, scores));
    }
    return absl::OkStatus();
  }

  std::vector<ScoredCandidate> Best(
      size_t keep, const std::function<bool(const Candidate&)>& is_wanted) && {
    // Those of equal score in the order found.
    std::stable_sort(found_.begin(), found_.end(),
                     [](const ScoredCandidate& a, const ScoredCandidate& b) {
                       return a.score > b.score;
                     });
    std::vector<ScoredCandidate> best, alike;
    for (ScoredCandidate& scored : found_) {
      if (best.size() == keep) break;
      if (!is_wanted(scored.candidate)) continue;
      const bool is_alike = parameters_.distinct_scores && !best.empty() &&
                            best.back().score == scored.score;
      (is_alike ? alike : best).push_back(std::move(scored));
    }
    const size_t more = std::min(keep - best.size(), alike.size());
    std::move(alike.begin(), alike.begin() + static_cast<ptrdiff_t>(more),
              std::back_inserter(best));
    return best;
  }

 private:
  // Asks for the scores of those that were not scored before.
  absl::StatusOr<std::vector<double>> Score(
      const std::vector<Candidate>& population) {
    std::vector<Candidate> fresh;
    for (const Candidate& candidate : population) {
      if (scores_.emplace(candidate, 0).second) fresh.push_back(candidate);
    }
    ASSIGN_OR_RETURN(const std::vector<double> scores,
                     scorer_.Score(space_, fresh));
    for (size_t i = 0; i < fresh.size(); ++i) {
      scores_[fresh[i]] = scores[i];
      found_.push_back({.candidate = std::move(fresh[i]), .score = scores[i]});
    }
    std::vector<double> all;
    all.reserve(population.size());
    for (const Candidate& candidate : population)
      all.push_back(scores_.at(candidate));
    return all;
  }

  absl::StatusOr<std::vector<Candidate>> Breed(
      const std::vector<Candidate>& parents, absl::Span<const double> scores) {
    const ParentDraw draw(scores, parameters_.selection_power);
    const auto wanted = static_cast<size_t>(parameters_.population);
    std::vector<Candidate> children;
    children.reserve(wanted);
    for (size_t i = 0; i < kDrawsPerChild * wanted && children.size() < wanted;
         ++i) {
      ASSIGN_OR_RETURN(CandidateDraw child, BreedOne(parents, draw));
      if (const auto* rejection = std::get_if<Rejection>(&child)) {
        ++rejections_[std::string(RejectionName(*rejection))];
      } else {
        children.push_back(std::get<Candidate>(std::move(child)));
      }
    }
    return children;
  }

  absl::StatusOr<CandidateDraw> BreedOne(const std::vector<Candidate>& parents,
                                         const ParentDraw& draw) {
    const Candidate& parent = parents[draw.Draw(rng_)];
    if (rng_.Chance(parameters_.crossover))
      return Cross(space_, parent, parents[draw.Draw(rng_)], rng_);
    if (rng_.Chance(parameters_.mutation_probability))
      return Mutate(space_, parent, rng_);
    return parent;
  }

  ScheduleSpace& space_;
  CandidateScorer& scorer_;
  const EvolutionParameters& parameters_;
  Rng& rng_;
  RejectionCounts& rejections_;
  absl::flat_hash_map<Candidate, double> scores_;
  std::vector<ScoredCandidate> found_;
};

}  // namespace

absl::StatusOr<std::vector<ScoredCandidate>> Evolve(
    ScheduleSpace& space, std::vector<Candidate> initial,
    CandidateScorer& scorer, const EvolutionParameters& parameters, size_t keep,
    const std::function<bool(const Candidate&)>& is_wanted, Rng& rng,
    RejectionCounts& rejections) {
  Evolution evolution(space, scorer, parameters, rng, rejections);
  RETURN_IF_ERROR(evolution.Run(std::move(initial)));
  return std::move(evolution).Best(keep, is_wanted);
}

absl::StatusOr<std::vector<Candidate>> SampleDistinct(
    ScheduleSpace& space, size_t count, int attempts, Rng& rng,
    RejectionCounts& rejections) {
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
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace pruner
