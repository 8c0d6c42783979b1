#include "pruner/sample/compute_location.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/log/check.h"
#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// Reads of stored stages for one element, where a stencil is inlined.
constexpr int64_t kMaxInlinedReads = 64;

// What is computed inside a nest is computed as often: a little more where
// tiles do not come out even.
constexpr double kMaxNestRecomputation = 1.25;

constexpr int kNoLoop = std::numeric_limits<int>::max();

bool IsTiled(const StageState& stage) {
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.parts[0].path != 0 || iterator.path != 0) return true;
  }
  return false;
}

// The length of the stage's tiles along the axis: 1 where it is not cut.
int64_t TileOf(const StageState& stage, int axis) {
  int64_t tile = 1;
  bool is_outermost = true;
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.parts.size() != 1 || iterator.parts[0].axis != axis) continue;
    if (!is_outermost) tile *= iterator.extent;
    is_outermost = false;
  }
  return tile;
}

// A reduction reads each element many times; one that is itself made of several
// is better computed once.
bool IsReducedOverAndOver(const ComputeDag& dag, int stage) {
  const std::vector<int>& readers = dag.consumers(stage);
  return ReadsNeighbours(dag.stage(stage)) &&
         std::any_of(readers.begin(), readers.end(), [&](int reader) {
           return dag.stage(reader).HasReduction();
         });
}

}  // namespace

void AppendPlacing(int stage, int32_t location,
                   std::vector<TransformStep>& steps) {
  if (location == Location::kInlined) {
    steps.emplace_back(ComputeInlineStep{.stage = stage});
  } else if (!Location::IsAt(location)) {
    steps.emplace_back(ComputeRootStep{.stage = stage});
  } else {
    steps.emplace_back(
        ComputeAtStep{.stage = stage,
                      .target_stage = Location::StageOf(location),
                      .target_iterator = Location::LoopOf(location)});
  }
  if (Location::Slides(location)) steps.emplace_back(SlideStep{.stage = stage});
}

Placement::Placement(Schedule& schedule, LoopState& state, bool slides)
    : schedule_(schedule),
      state_(state),
      slides_(slides),
      regions_(state),
      reads_(state),
      computed_(state.stages.size(), 0),
      locations_(state.stages.size(), kOpen),
      early_(state.stages.size(), 0),
      outermost_occupied_(state.stages.size(), kNoLoop),
      inferred_(static_cast<int>(state.stages.size())) {
  for (const StageState& stage : state.stages) {
    if (stage.location != ComputeLocation::kAt) continue;
    int& outermost = outermost_occupied_[stage.at_stage];
    outermost = std::min(outermost, stage.at_iterator);
  }
}

absl::Status Placement::InferBoundsBehind(int stage) {
  CHECK_LT(stage, inferred_) << "it had to be placed earlier";
  for (; inferred_ > stage + 1; --inferred_)
    RETURN_IF_ERROR(InferBoundsOf(inferred_ - 1, regions_, state_));
  return absl::OkStatus();
}

bool Placement::HoldsOthers(int stage) const {
  return outermost_occupied_[stage] != kNoLoop;
}

bool Placement::CanBeInlined(int stage) {
  const Stage& s = state_.dag->stage(stage);
  if (HoldsOthers(stage) || s.HasReduction() || s.opaque ||
      state_.stages[stage].IsPacked() ||
      IsReducedOverAndOver(*state_.dag, stage) ||
      IsDearInReduction(*state_.dag, stage, [&](int reader) {
        return state_.stages[reader].location == ComputeLocation::kInlined;
      })) {
    return false;
  }
  const int64_t times = reads_.PerElement(stage);
  return times <= 1 || !ReadsNeighbours(s) ||
         times * reads_.OfStored(stage) <= kMaxInlinedReads;
}

int32_t Placement::LocationOf(int stage) {
  int32_t& location = locations_[stage];
  if (location != kOpen) return location;
  const StageState& s = state_.stages[stage];
  if (s.location == ComputeLocation::kAt) {
    location = Location::At(s.at_stage, s.at_iterator);
  } else if (s.location == ComputeLocation::kInlined) {
    const std::vector<int>& readers = state_.dag->consumers(stage);
    location = readers.empty() ? Location::kRoot : LocationOf(readers.front());
  } else {
    location = Location::kRoot;
  }
  return location;
}

void Placement::FindReaders(int stage, std::vector<PossiblePlace>& places) {
  for (const int reader : state_.dag->consumers(stage)) {
    if (state_.dag->stage(reader).HasReduction()) continue;
    const int32_t location = LocationOf(reader);
    if (!Location::IsAt(location)) continue;
    for (PossiblePlace& place : places)
      place.is_with_reader |=
          Location::WithoutSliding(place.location) == location;
  }
}

double Placement::Executions(int at, int loop) const {
  double executions = 1;
  for (; at >= 0;
       loop = state_.stages[at].at_iterator, at = state_.stages[at].at_stage) {
    for (int i = 0; i <= loop; ++i)
      executions *= static_cast<double>(state_.stages[at].iterators[i].extent);
  }
  return executions;
}

double Placement::Computed(int stage) {
  double& computed = computed_[stage];
  if (computed > 0) return computed;
  const StageState& s = state_.stages[stage];
  const Stage& dag_stage = state_.dag->stage(stage);
  computed = static_cast<double>(dag_stage.SpatialSize());
  if (s.location == ComputeLocation::kInlined) {
    computed = ReadsOf(stage);
  } else if (s.location == ComputeLocation::kAt) {
    computed = Executions(s.at_stage, s.at_iterator);
    for (int d = 0; d < dag_stage.SpatialRank(); ++d)
      computed *= static_cast<double>(s.axis_extents[d]);
  }
  return computed;
}

double Placement::ReadsOf(int stage) {
  double reads = 0;
  for (const int reader : state_.dag->consumers(stage)) {
    const Stage& r = state_.dag->stage(reader);
    const auto accesses = std::count_if(
        r.reads.begin(), r.reads.end(),
        [&](const Access& access) { return access.stage == stage; });
    reads +=
        static_cast<double>(accesses * r.ReductionSize()) * Computed(reader);
  }
  return reads;
}

PossiblePlace Placement::PlaceAt(int stage, int target, int loop,
                                 double executions) {
  PossiblePlace place = {.location = Location::At(target, loop), .held = 1};
  const std::vector<int64_t>& region = regions_.Required(stage, target, loop);
  for (int d = 0; d < state_.dag->stage(stage).SpatialRank(); ++d) {
    // Lengths that count at the root only are none elsewhere.
    const int64_t tile =
        HoldsOthers(stage) ? TileOf(state_.stages[stage], d) : 1;
    place.held *= static_cast<double>(CeilDiv(region[d], tile) * tile);
  }
  place.elements = executions * place.held;
  return place;
}

double Placement::EarlyIterations(int stage, int32_t location) {
  double early = 0;
  for (const int reader : state_.dag->consumers(stage)) {
    const bool is_there =
        location == Location::kInlined ||
        LocationOf(reader) == Location::WithoutSliding(location);
    if (is_there) early = std::max(early, early_[reader]);
  }
  if (!Location::Slides(location)) return early;
  const Slide slide = regions_.SlideOf(stage, Location::StageOf(location),
                                       Location::LoopOf(location));
  return early + static_cast<double>(CeilDiv(slide.known, slide.added));
}

std::optional<PossiblePlace> Placement::SlideAt(int stage, int target, int loop,
                                                double outside) {
  const Iterator& iterator = state_.stages[target].iterators[loop];
  if (!slides_ || iterator.annotation != Annotation::kNone || outside <= 1)
    return std::nullopt;
  const Slide slide = regions_.SlideOf(stage, target, loop);
  if (slide.dimension < 0) return std::nullopt;
  const int32_t location = Location::WithSliding(Location::At(target, loop));
  const double iterations =
      static_cast<double>(iterator.extent) + EarlyIterations(stage, location);
  PossiblePlace place = {
      .location = location, .elements = outside * iterations, .held = 1};
  const std::vector<int64_t>& region = regions_.Required(stage, target, loop);
  for (int d = 0; d < state_.dag->stage(stage).SpatialRank(); ++d) {
    const bool is_slid = d == slide.dimension;
    place.elements *= static_cast<double>(is_slid ? slide.added : region[d]);
    place.held *= static_cast<double>(region[d]);
  }
  const StageState& s = state_.stages[stage];
  if (HoldsOthers(stage) ||
      IsRecomputedTooOften(state_.dag->stage(stage), s.IsPacked(),
                           place.elements)) {
    return std::nullopt;
  }
  return place;
}

void Placement::AddLoops(int stage, int target, double executions,
                         std::vector<PossiblePlace>& out) {
  const StageState& t = state_.stages[target];
  const bool tiled = IsTiled(t);
  const bool is_packed = state_.stages[stage].IsPacked();
  const double most =
      kMaxNestRecomputation *
      static_cast<double>(state_.dag->stage(stage).SpatialSize());
  bool seen_reduction = false;
  const size_t loops =
      std::min<size_t>(t.iterators.size(), Location::kMaxLoops);
  for (size_t i = 0; i < loops; ++i) {
    const Iterator& iterator = t.iterators[i];
    if (iterator.annotation != Annotation::kNone &&
        iterator.annotation != Annotation::kParallel) {
      return;
    }
    if (iterator.kind == AxisKind::kReduction) {
      if (!tiled) return;
      seen_reduction = true;
    } else if (seen_reduction) {
      return;
    }
    const int loop = static_cast<int>(i);
    const double outside = executions;
    executions *= static_cast<double>(iterator.extent);
    if (iterator.extent > 1 && regions_.ReadersAreInside(stage, target, loop)) {
      const PossiblePlace place = PlaceAt(stage, target, loop, executions);
      const bool is_too_often =
          IsRecomputedTooOften(state_.dag->stage(stage), is_packed,
                               place.elements) ||
          (HoldsOthers(stage) && place.elements > most);
      if (!is_too_often) out.push_back(place);
      if (const auto slide = SlideAt(stage, target, loop, outside))
        out.push_back(*slide);
    }
    if (loop == outermost_occupied_[target]) return;
  }
}

absl::StatusOr<std::vector<PossiblePlace>> Placement::PlacesOf(int stage) {
  RETURN_IF_ERROR(InferBoundsBehind(stage));
  const double size =
      static_cast<double>(state_.dag->stage(stage).SpatialSize());
  std::vector<PossiblePlace> places = {
      {.location = Location::kRoot, .elements = size, .held = size}};
  if (CanBeInlined(stage)) {
    places.push_back({.location = Location::kInlined,
                      .elements = std::max(size, ReadsOf(stage))});
  }
  for (const int host : regions_.Hosts(stage)) {
    if (state_.dag->stage(host).opaque) continue;
    const StageState& h = state_.stages[host];
    AddLoops(stage, host, Executions(h.at_stage, h.at_iterator), places);
  }
  FindReaders(stage, places);
  return places;
}

absl::StatusOr<bool> Placement::Fits(int stage, int32_t location) {
  RETURN_IF_ERROR(InferBoundsBehind(stage));
  if (location == Location::kInlined) return CanBeInlined(stage);
  if (!Location::IsAt(location)) return location == Location::kRoot;
  const int at = Location::StageOf(location), loop = Location::LoopOf(location);
  if (at >= state_.dag->size()) return false;
  const StageState& target = state_.stages[at];
  return target.location != ComputeLocation::kInlined &&
         loop < static_cast<int>(target.iterators.size()) &&
         regions_.ReadersAreInside(stage, at, loop) &&
         (!Location::Slides(location) ||
          (slides_ && regions_.SlideOf(stage, at, loop).dimension >= 0));
}

absl::Status Placement::Place(int stage, int32_t location) {
  RETURN_IF_ERROR(InferBoundsBehind(stage));
  if (Location::IsAt(location)) {
    const int at = Location::StageOf(location);
    const int loop = Location::LoopOf(location);
    if (at < state_.dag->size())
      outermost_occupied_[at] = std::min(outermost_occupied_[at], loop);
  }
  if (slides_ && location != Location::kRoot)
    early_[stage] = EarlyIterations(stage, location);
  auto step = static_cast<int>(schedule_.steps.size());
  AppendPlacing(stage, location, schedule_.steps);
  for (; step < static_cast<int>(schedule_.steps.size()); ++step)
    RETURN_IF_ERROR(ApplyStep(schedule_, step, state_));
  RETURN_IF_ERROR(InferBoundsOf(stage, regions_, state_));
  inferred_ = stage;
  return absl::OkStatus();
}

}  // namespace pruner
