// What can be searched: sketches, each with decisions, and candidates, which
// have a value for each of them. Sampling, mutation, crossover, neighbours and
// distances are made of this interface alone and know nothing of loops.
#ifndef PRUNER_SAMPLE_SEARCH_SPACE_H_
#define PRUNER_SAMPLE_SEARCH_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sample/mutation_weights.h"
#include "pruner/sample/rejection.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"

namespace pruner {

// A candidate, or why the draw is none. Normal and cheap; a status is an error
// in the true sense, such as a sketch whose steps do not fit.
using CandidateDraw = std::variant<Candidate, Rejection>;

// Not thread-safe. The same calls with the same random numbers give the same
// answers.
class SearchSpace {
 public:
  virtual ~SearchSpace() = default;

  // A sketch's number. Numbers stay what they are as long as the space does.
  virtual absl::StatusOr<int> DrawSketch(Rng& rng) = 0;
  // Another sketch that is much like this one; this one if there is none.
  virtual absl::StatusOr<int> DrawNeighbourSketch(int sketch, Rng& rng) = 0;

  // In an order in which a value may depend on those before it.
  virtual absl::Span<const Decision> Decisions(int sketch) const = 0;
  // By decision, a number that is the same for those that belong together.
  virtual absl::Span<const int> Groups(int sketch) const = 0;
  virtual const MutationWeights& weights() const = 0;

  // Whether the decision makes a difference, as the others are.
  virtual bool IsActive(const Candidate& candidate, size_t decision) const = 0;

  // Draws the values of one decision anew, within what the others, as far as
  // they are not open, leave.
  virtual absl::StatusOr<std::optional<Rejection>> Redraw(
      size_t decision, Rng& rng, Candidate& candidate) = 0;

  // The values that a decision without lengths may have, given all the others,
  // in an order in which neighbours are alike. The present one is among them if
  // it fits.
  virtual absl::StatusOr<std::vector<int32_t>> ChoicesOf(
      size_t decision, const Candidate& candidate) = 0;

  // The candidate of another sketch that has this one's values where both
  // decide the same; the rest is open.
  virtual Candidate Carry(const Candidate& candidate, int sketch) const = 0;

  // Draws what is open, and what does not fit the decisions before it; brings
  // the rest into its normal form, so that the same program has the same
  // values. Leaves a candidate alone that it has repaired before. Without `rng`
  // nothing is drawn, and what would have to be is Rejection::kUnfit.
  virtual absl::StatusOr<std::optional<Rejection>> Repair(
      Rng* rng, Candidate& candidate) = 0;

  // Why a repaired candidate is beyond the limits, if it is.
  virtual absl::StatusOr<std::optional<Rejection>> Check(
      const Candidate& candidate) = 0;
};

// The repaired candidate, or why there is none.
absl::StatusOr<CandidateDraw> Complete(SearchSpace& space, Candidate candidate,
                                       Rng* rng);

// How many values the sketch's decisions have.
size_t NumValues(const SearchSpace& space, int sketch);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SEARCH_SPACE_H_
