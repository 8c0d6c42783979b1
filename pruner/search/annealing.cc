#include "pruner/search/annealing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"

namespace pruner {
namespace {

// Draws that may be no candidates, or what one had before.
constexpr int kDraws = 20;

// The best that were met, each once.
class Best {
 public:
  Best(int count, double least_score)
      : count_(static_cast<size_t>(count)), least_score_(least_score) {}

  // Whether it is one of the best now, and was not.
  bool Add(const Candidate& candidate, double score) {
    if (score == -std::numeric_limits<double>::infinity() ||
        score < least_score_)
      return false;
    if (heap_.size() == count_ && score <= heap_.front().score) return false;
    if (!members_.insert(candidate).second) return false;
    if (heap_.size() == count_) {
      std::pop_heap(heap_.begin(), heap_.end(), IsBetter);
      members_.erase(heap_.back().candidate);
      heap_.pop_back();
    }
    heap_.push_back({candidate, score});
    std::push_heap(heap_.begin(), heap_.end(), IsBetter);
    return true;
  }

  std::vector<Annealing::Planned> Take() && {
    std::sort_heap(heap_.begin(), heap_.end(), IsBetter);
    return std::move(heap_);
  }

 private:
  static bool IsBetter(const Annealing::Planned& a,
                       const Annealing::Planned& b) {
    return a.score > b.score;
  }

  const size_t count_;
  const double least_score_;
  std::vector<Annealing::Planned> heap_;  // the worst is in front
  absl::flat_hash_set<Candidate> members_;
};

}  // namespace

absl::Status CheckAnnealingOptions(const AnnealingOptions& options) {
  const auto check = [](const char* name, double value,
                        bool good) -> absl::Status {
    if (good) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("annealing with ", name, " = ", value));
  };
  RETURN_IF_ERROR(check("chains", options.chains, options.chains >= 1));
  RETURN_IF_ERROR(
      check("iterations", options.iterations, options.iterations >= 1));
  RETURN_IF_ERROR(check("patience", options.patience, options.patience >= 1));
  return check("temperature", options.temperature,
               options.temperature >= 0 && std::isfinite(options.temperature));
}

Annealing::Annealing(SearchSpace& space, const AnnealingOptions& options)
    : space_(space), options_(options) {
  CHECK_OK(CheckAnnealingOptions(options));
}

absl::Status Annealing::Begin(Rng& rng) {
  for (int i = 0; i < options_.chains; ++i) {
    for (int draws = 0; draws < kDraws; ++draws) {
      ASSIGN_OR_RETURN(CandidateDraw draw, Sample(space_, rng));
      if (auto* const candidate = std::get_if<Candidate>(&draw)) {
        places_.push_back(std::move(*candidate));
        break;
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Candidate> Annealing::Move(const Candidate& from, Rng& rng) {
  std::vector<size_t> active;
  for (size_t i = 0; i < space_.Decisions(from.sketch).size(); ++i) {
    if (space_.IsActive(from, i)) active.push_back(i);
  }
  if (active.empty()) return from;
  for (int draws = 0; draws < kDraws; ++draws) {
    Candidate moved = from;
    ASSIGN_OR_RETURN(const std::optional<Rejection> rejection,
                     space_.Redraw(rng.Pick(active), rng, moved));
    if (rejection) continue;
    ASSIGN_OR_RETURN(CandidateDraw draw,
                     Complete(space_, std::move(moved), &rng));
    auto* const candidate = std::get_if<Candidate>(&draw);
    if (candidate != nullptr && *candidate != from)
      return std::move(*candidate);
  }
  return from;
}

absl::StatusOr<std::vector<Annealing::Planned>> Annealing::Plan(
    int count, ScoreAll score_all, IsKnown is_known, Rng& rng) {
  CHECK_GE(count, 1);
  if (places_.empty()) {
    RETURN_IF_ERROR(Begin(rng));
  }
  Best best(count, options_.least_score);
  const auto add = [&](const Candidate& candidate, double score) {
    return !is_known(candidate) && best.Add(candidate, score);
  };
  ASSIGN_OR_RETURN(std::vector<double> scores, score_all(places_));
  for (size_t i = 0; i < places_.size(); ++i) add(places_[i], scores[i]);
  int vain = 0;
  for (int iteration = 0;
       iteration < options_.iterations && vain < options_.patience;
       ++iteration) {
    const double temperature =
        options_.temperature *
        (1 - static_cast<double>(iteration) /
                 static_cast<double>(options_.iterations));
    std::vector<Candidate> moved;
    for (const Candidate& place : places_) {
      ASSIGN_OR_RETURN(moved.emplace_back(), Move(place, rng));
    }
    ASSIGN_OR_RETURN(const std::vector<double> next, score_all(moved));
    ++vain;
    for (size_t i = 0; i < moved.size(); ++i) {
      if (add(moved[i], next[i])) vain = 0;
      // From one place that is out of the question to another, too.
      const bool is_up = next[i] >= scores[i];
      if (!is_up &&
          !rng.Chance(std::exp((next[i] - scores[i]) / (temperature + 1e-5))))
        continue;
      places_[i] = std::move(moved[i]);
      scores[i] = next[i];
    }
  }
  return std::move(best).Take();
}

}  // namespace pruner
