// The space of an accelerator's knobs, as one of decisions: one sketch, and for
// each knob the position of its value (docs/algorithms.md C1).
#ifndef PRUNER_SAMPLE_KNOB_SEARCH_SPACE_H_
#define PRUNER_SAMPLE_KNOB_SEARCH_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sample/mutation_weights.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"
#include "pruner/vta/knobs.h"

namespace pruner {

// Every point of the grid is within its limits: whether one can be measured, a
// ValidityOracle knows.
class KnobSearchSpace : public SearchSpace {
 public:
  // The knobs must outlive it.
  explicit KnobSearchSpace(const KnobSpace& knobs);

  // The candidate of a point, and its point. Those of another space are errors
  // of the caller (checked).
  Candidate CandidateOf(absl::Span<const int> point) const;
  KnobPoint PointOf(const Candidate& candidate) const;

  absl::StatusOr<int> DrawSketch(Rng& rng) override;
  absl::StatusOr<int> DrawNeighbourSketch(int sketch, Rng& rng) override;
  absl::Span<const Decision> Decisions(int sketch) const override;
  absl::Span<const int> Groups(int sketch) const override;
  const MutationWeights& weights() const override;
  bool IsActive(const Candidate& candidate, size_t decision) const override;
  absl::StatusOr<std::optional<Rejection>> Redraw(
      size_t decision, Rng& rng, Candidate& candidate) override;
  absl::StatusOr<std::vector<int32_t>> ChoicesOf(
      size_t decision, const Candidate& candidate) override;
  Candidate Carry(const Candidate& candidate, int sketch) const override;
  absl::StatusOr<std::optional<Rejection>> Repair(
      Rng* rng, Candidate& candidate) override;
  absl::StatusOr<std::optional<Rejection>> Check(
      const Candidate& candidate) override;

 private:
  const KnobSpace& knobs_;
  std::vector<Decision> decisions_;
  std::vector<int> groups_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_KNOB_SEARCH_SPACE_H_
