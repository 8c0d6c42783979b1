#include "pruner/sample/presample.h"

#include <optional>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/sample.h"

namespace pruner {
namespace {

// Draws in a row that find nothing new, after which nothing new is expected.
constexpr int kVainDraws = 1000;

class Presampler {
 public:
  Presampler(SearchSpace& space, ValidityOracle& oracle,
             const PresampleOptions& options, Rng& rng)
      : space_(space), oracle_(oracle), options_(options), rng_(rng) {}

  absl::Status BeginWith(const Presample& known) {
    seen_.insert(known.valid.begin(), known.valid.end());
    seen_.insert(known.invalid.begin(), known.invalid.end());
    for (const Candidate& candidate : known.valid)
      RETURN_IF_ERROR(AddNeighbours(candidate));
    return absl::OkStatus();
  }

  absl::StatusOr<Presample> Run() && {
    while (static_cast<int64_t>(found_.size()) < options_.candidates) {
      ASSIGN_OR_RETURN(const std::vector<Candidate> batch, NextBatch());
      if (batch.empty()) break;
      RETURN_IF_ERROR(Ask(batch));
    }
    return std::move(found_);
  }

 private:
  // A candidate that was not seen, and now is; none if draws find none.
  absl::StatusOr<std::optional<Candidate>> DrawNew() {
    for (int i = 0; i < kVainDraws; ++i) {
      ASSIGN_OR_RETURN(CandidateDraw draw, Sample(space_, rng_));
      auto* const candidate = std::get_if<Candidate>(&draw);
      if (candidate != nullptr && seen_.insert(*candidate).second)
        return std::move(*candidate);
    }
    return std::nullopt;
  }

  // Some of those that the last batch led to, in random order, and random ones
  // if these are too few.
  absl::StatusOr<std::vector<Candidate>> NextBatch() {
    const auto size = static_cast<size_t>(options_.batch);
    rng_.Shuffle(next_);
    if (next_.size() > size) {
      // What is not looked at now may be found again.
      for (size_t i = size; i < next_.size(); ++i) seen_.erase(next_[i]);
      next_.resize(size);
    }
    std::vector<Candidate> batch = std::exchange(next_, {});
    while (batch.size() < size) {
      ASSIGN_OR_RETURN(std::optional<Candidate> drawn, DrawNew());
      if (!drawn) break;
      batch.push_back(*std::move(drawn));
    }
    return batch;
  }

  absl::Status Ask(const std::vector<Candidate>& batch) {
    ASSIGN_OR_RETURN(const std::vector<bool> valid, oracle_.AreValid(batch));
    if (valid.size() != batch.size()) {
      return absl::InternalError(absl::StrCat("the oracle gives ", valid.size(),
                                              " answers about ", batch.size(),
                                              " candidates"));
    }
    for (size_t i = 0; i < batch.size(); ++i) {
      if (valid[i]) {
        found_.valid.push_back(batch[i]);
        RETURN_IF_ERROR(AddNeighbours(batch[i]));
      } else {
        found_.invalid.push_back(batch[i]);
        ASSIGN_OR_RETURN(std::optional<Candidate> drawn, DrawNew());
        if (drawn) next_.push_back(*std::move(drawn));
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddNeighbours(const Candidate& candidate) {
    ASSIGN_OR_RETURN(std::vector<Candidate> neighbours,
                     Neighbours(space_, candidate));
    for (Candidate& neighbour : neighbours) {
      ASSIGN_OR_RETURN(const std::optional<Rejection> rejection,
                       space_.Check(neighbour));
      if (!rejection && seen_.insert(neighbour).second)
        next_.push_back(std::move(neighbour));
    }
    return absl::OkStatus();
  }

  SearchSpace& space_;
  ValidityOracle& oracle_;
  const PresampleOptions& options_;
  Rng& rng_;
  Presample found_;
  std::vector<Candidate> next_;
  absl::flat_hash_set<Candidate> seen_;  // found_ and next_
};

}  // namespace

absl::StatusOr<Presample> PresampleSpace(SearchSpace& space,
                                         ValidityOracle& oracle,
                                         const PresampleOptions& options,
                                         Rng& rng, const Presample& known) {
  if (options.batch < 1 || options.candidates < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a presample of ", options.candidates,
                     " candidates, in batches of ", options.batch));
  }
  Presampler presampler(space, oracle, options, rng);
  RETURN_IF_ERROR(presampler.BeginWith(known));
  return std::move(presampler).Run();
}

}  // namespace pruner
