#include "pruner/sample/knob_search_space.h"

#include <numeric>
#include <utility>
#include <variant>

#include "absl/log/check.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr MutationWeights WeightsOfKnobs() {
  MutationWeights weights;
  weights.of[static_cast<int>(DecisionKind::kKnob)] = 1;
  return weights;
}
constexpr MutationWeights kWeights = WeightsOfKnobs();

}  // namespace

KnobSearchSpace::KnobSearchSpace(const KnobSpace& knobs) : knobs_(knobs) {
  for (const Knob& knob : knobs.knobs()) {
    const auto number = static_cast<int>(decisions_.size());
    ChoiceDomain positions;
    positions.choices.resize(knob.values.size());
    std::iota(positions.choices.begin(), positions.choices.end(), 0);
    decisions_.push_back({.kind = DecisionKind::kKnob,
                          .first = number,
                          .domain = std::move(positions)});
    groups_.push_back(number);
  }
}

Candidate KnobSearchSpace::CandidateOf(absl::Span<const int> point) const {
  CHECK_EQ(point.size(), decisions_.size());
  return {.sketch = 0, .values = Values(point.begin(), point.end())};
}

KnobPoint KnobSearchSpace::PointOf(const Candidate& candidate) const {
  CHECK_EQ(candidate.values.size(), decisions_.size());
  return KnobPoint(candidate.values.begin(), candidate.values.end());
}

absl::StatusOr<int> KnobSearchSpace::DrawSketch(Rng& /*rng*/) { return 0; }

absl::StatusOr<int> KnobSearchSpace::DrawNeighbourSketch(int sketch,
                                                         Rng& /*rng*/) {
  return sketch;
}

absl::Span<const Decision> KnobSearchSpace::Decisions(int /*sketch*/) const {
  return decisions_;
}

absl::Span<const int> KnobSearchSpace::Groups(int /*sketch*/) const {
  return groups_;
}

const MutationWeights& KnobSearchSpace::weights() const { return kWeights; }

// What has one value is no decision.
bool KnobSearchSpace::IsActive(const Candidate& /*candidate*/,
                               size_t decision) const {
  return knobs_.knobs()[decision].values.size() > 1;
}

absl::StatusOr<std::optional<Rejection>> KnobSearchSpace::Redraw(
    size_t decision, Rng& rng, Candidate& candidate) {
  candidate.values[decision] =
      static_cast<int32_t>(rng.Index(knobs_.knobs()[decision].values.size()));
  return std::nullopt;
}

absl::StatusOr<std::vector<int32_t>> KnobSearchSpace::ChoicesOf(
    size_t decision, const Candidate& /*candidate*/) {
  const auto& positions =
      std::get<ChoiceDomain>(decisions_[decision].domain).choices;
  return std::vector<int32_t>(positions.begin(), positions.end());
}

Candidate KnobSearchSpace::Carry(const Candidate& candidate,
                                 int /*sketch*/) const {
  return candidate;
}

absl::StatusOr<std::optional<Rejection>> KnobSearchSpace::Repair(
    Rng* rng, Candidate& candidate) {
  candidate.values.resize(decisions_.size(), kOpen);
  for (size_t i = 0; i < decisions_.size(); ++i) {
    const auto count = static_cast<int32_t>(knobs_.knobs()[i].values.size());
    const int32_t value = candidate.values[i];
    if (value >= 0 && value < count) continue;
    if (rng == nullptr) return Rejection::kUnfit;
    RETURN_IF_ERROR(Redraw(i, *rng, candidate).status());
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<Rejection>> KnobSearchSpace::Check(
    const Candidate& /*candidate*/) {
  return std::nullopt;
}

}  // namespace pruner
