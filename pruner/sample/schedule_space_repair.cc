// What of a candidate's values does not fit is drawn anew, in the order in
// which values depend on each other.
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/streams.h"
#include "pruner/sample/compute_location.h"
#include "pruner/sample/place_weights.h"
#include "pruner/sample/schedule_space.h"

namespace pruner {
namespace {

// Beyond that they are forgotten.
constexpr size_t kMaxPlacements = size_t{1} << 16;

// So often stages are placed until tiles and locations fit each other.
constexpr int kMaxRounds = 4;

}  // namespace

bool ScheduleSpace::FitDomains(const Part& part, const Candidate& candidate) {
  if (static_cast<int>(candidate.values.size()) != part.sketch.NumValues())
    return false;
  for (const Decision& decision : part.sketch.decisions) {
    const int32_t value = candidate.values[decision.first];
    if (decision.HasLengths()) {
      if (!LengthsFit(decision, candidate.values)) return false;
      continue;
    }
    const auto* list = std::get_if<ChoiceDomain>(&decision.domain);
    if (list != nullptr && std::find(list->choices.begin(), list->choices.end(),
                                     value) == list->choices.end()) {
      return false;
    }
  }
  return true;
}

void ScheduleSpace::OpenMisfits(const Part& part, Candidate& candidate) {
  for (const Decision& decision : part.sketch.decisions) {
    if (!decision.HasLengths() || LengthsFit(decision, candidate.values))
      continue;
    const auto first = candidate.values.begin() + decision.first;
    std::fill(first, first + decision.count, kOpen);
  }
}

std::optional<Rejection> ScheduleSpace::RepairChoices(const Part& part,
                                                      Rng* rng,
                                                      Candidate& candidate) {
  for (const Decision& decision : part.sketch.decisions) {
    const auto* list = std::get_if<ChoiceDomain>(&decision.domain);
    if (list == nullptr || !IsOpen(decision, candidate.values)) continue;
    if (rng == nullptr) return Rejection::kUnfit;
    candidate.values[decision.first] =
        static_cast<int32_t>(rng->Pick(list->choices));
  }
  return std::nullopt;
}

bool ScheduleSpace::IsWellPlaced(const Candidate& candidate) {
  placement_.sketch = candidate.sketch;
  placement_.values.clear();
  const Sketch& sketch = PartOf(candidate).sketch;
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind == DecisionKind::kLocation)
      placement_.values.push_back(candidate.values[decision.first]);
  }
  return placement_.values.empty() || placements_.contains(placement_);
}

bool ScheduleSpace::StopIdleSlides(Candidate& candidate) const {
  bool are_any = false;
  for (const Decision& decision : PartOf(candidate).sketch.decisions) {
    int32_t& value = candidate.values[decision.first];
    if (decision.kind != DecisionKind::kLocation || !Location::Slides(value) ||
        instantiator_.loops().slide(decision.stage).dimension >= 0) {
      continue;
    }
    value = Location::WithoutSliding(value);
    are_any = true;
  }
  return are_any;
}

bool ScheduleSpace::OpenLoopsOfOne(Candidate& candidate) const {
  bool are_any = false;
  for (const Decision& decision : PartOf(candidate).sketch.decisions) {
    int32_t& value = candidate.values[decision.first];
    if (decision.kind != DecisionKind::kLocation || !Location::IsAt(value) ||
        instantiator_.ExtentOf(Location::StageOf(value),
                               Location::LoopOf(value)) > 1) {
      continue;
    }
    value = kOpen;
    are_any = true;
  }
  return are_any;
}

bool ScheduleSpace::MakeInactiveTilesWhole(const Part& part,
                                           Candidate& candidate) const {
  bool changed = false;
  for (size_t i = 0; i < part.sketch.decisions.size(); ++i) {
    const Decision& decision = part.sketch.decisions[i];
    if (!decision.HasLengths() || IsActive(candidate, i)) continue;
    const auto whole = static_cast<int32_t>(decision.lengths().extent);
    changed |= candidate.values[decision.first] != whole;
    candidate.values[decision.first] = whole;
  }
  return changed;
}

absl::StatusOr<int32_t> ScheduleSpace::DrawLocation(Placement& placement,
                                                    int stage, Rng& rng) const {
  ASSIGN_OR_RETURN(const std::vector<PossiblePlace> places,
                   placement.PlacesOf(stage));
  if (sampling_ == Sampling::kAnsor) return rng.Pick(places).location;
  const std::vector<double> weights =
      PlaceWeights(context_.target, placement.stage(stage), places);
  return places[rng.WeightedIndex(weights)].location;
}

absl::StatusOr<std::optional<Rejection>> ScheduleSpace::RepairLocations(
    const Part& part, Rng* rng, Candidate& candidate) {
  ASSIGN_OR_RETURN(
      Instance instance,
      WithoutLocations(context_.dag, part.sketch, candidate.values));
  Placement placement(instance.schedule, instance.state, context_.timed);
  for (const Decision& decision : part.sketch.decisions) {
    if (decision.kind != DecisionKind::kLocation) continue;
    int32_t& location = candidate.values[decision.first];
    ASSIGN_OR_RETURN(const bool fits, placement.Fits(decision.stage, location));
    if (!fits) {
      if (rng == nullptr) return Rejection::kUnfit;
      ASSIGN_OR_RETURN(location, DrawLocation(placement, decision.stage, *rng));
    }
    RETURN_IF_ERROR(placement.Place(decision.stage, location));
  }
  if (!IsWellPlaced(candidate)) {
    if (placements_.size() >= kMaxPlacements) placements_.clear();
    placements_.insert(placement_);
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<Rejection>> ScheduleSpace::RepairPlaces(
    const Part& part, Rng* rng, Candidate& candidate) {
  last_candidate_.sketch = -1;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!IsWellPlaced(candidate)) {
      ASSIGN_OR_RETURN(const std::optional<Rejection> rejection,
                       RepairLocations(part, rng, candidate));
      if (rejection) return rejection;
    }
    // Of the stages that turn out not to be at the root, what is computed in
    // their loops may have to be placed anew.
    if (MakeInactiveTilesWhole(part, candidate)) continue;
    RETURN_IF_ERROR(
        instantiator_.TurnTo(candidate.sketch, part.sketch, candidate.values));
    if (OpenLoopsOfOne(candidate) || StopIdleSlides(candidate)) continue;
    return std::nullopt;
  }
  return Rejection::kUnfit;
}

void ScheduleSpace::NormalizeStreams(const Part& part, Candidate& candidate) {
  for (const Decision& decision : part.sketch.decisions) {
    if (decision.kind != DecisionKind::kStream) continue;
    int32_t& max_bytes = candidate.values[decision.first];
    if (max_bytes == 0) continue;
    const int64_t bytes =
        StreamedBytes(instantiator_.GetProgram(), decision.stage);
    const auto& choices = std::get<ChoiceDomain>(decision.domain).choices;
    max_bytes = static_cast<int32_t>(
        *absl::c_find_if(choices, [&](int64_t c) { return c >= bytes; }));
  }
}

absl::StatusOr<std::optional<Rejection>> ScheduleSpace::Repair(
    Rng* rng, Candidate& candidate) {
  if (candidate == last_candidate_) return std::nullopt;
  const Part& part = PartOf(candidate);
  const absl::Span<int32_t> values = absl::MakeSpan(candidate.values);
  std::optional<Rejection> rejection = RepairChoices(part, rng, candidate);
  if (!rejection && rng != nullptr) {
    OpenMisfits(part, candidate);
    rejection = lengths_->Fill(part.lengths, *rng, values);
  }
  if (rejection) return rejection;
  if (!FitDomains(part, candidate)) return Rejection::kUnfit;
  rejection = lengths_->Adjust(part.lengths, rng, values);
  if (rejection) return rejection;
  ASSIGN_OR_RETURN(rejection, RepairPlaces(part, rng, candidate));
  if (rejection) return rejection;
  for (const Decision& decision : part.sketch.decisions) {
    if (decision.kind != DecisionKind::kParallel) continue;
    int32_t& wanted = values[decision.first];
    wanted = instantiator_.parallel_counts(decision.stage).Normalized(wanted);
  }
  NormalizeStreams(part, candidate);
  last_candidate_ = candidate;
  return std::nullopt;
}

}  // namespace pruner
