#include "pruner/sample/compute_location.h"

#include <algorithm>
#include <utility>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/recomputation.h"

namespace pruner {
namespace {

// Reads of stored stages for one element, where a stencil is inlined.
constexpr int64_t kMaxInlinedReads = 64;

// Stages whose loops may hold all readers of `stage`, outermost first: its
// readers, looking through inlined ones, and those that they are computed in.
std::vector<int> Hosts(const LoopState& state, int stage) {
  std::vector<int> common;
  bool first = true;
  for (int consumer : state.dag->consumers(stage)) {
    std::vector<int> hosts;
    const StageState* c = &state.stages[consumer];
    if (c->location == ComputeLocation::kInlined) {
      hosts = Hosts(state, consumer);
    } else {
      hosts.push_back(consumer);
      for (; c->location == ComputeLocation::kAt;
           c = &state.stages[c->at_stage]) {
        hosts.insert(hosts.begin(), c->at_stage);
      }
    }
    if (first) common = hosts;
    first = false;
    std::erase_if(common, [&](int host) {
      return std::find(hosts.begin(), hosts.end(), host) == hosts.end();
    });
  }
  return common;
}

bool IsTiled(const StageState& stage) {
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.parts[0].path != 0 || iterator.path != 0) return true;
  }
  return false;
}

// Adds the loops of `target`, up to where a stage computed inside would be
// computed too often or too deep in the nest.
void AddLoops(const LoopState& state, int stage, int target,
              std::vector<int32_t>& out) {
  const StageState& t = state.stages[target];
  const bool tiled = IsTiled(t);
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
    if (iterator.extent > 1 && ReadersAreInside(state, stage, target, loop) &&
        !IsRecomputedTooOften(state, stage, target, loop)) {
      out.push_back(Location::At(target, loop));
    }
    if (!AttachedAt(state, target, loop).empty()) return;
  }
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

bool CanBeInlined(const LoopState& state, int stage) {
  const bool is_occupied = std::any_of(
      state.stages.begin(), state.stages.end(), [&](const StageState& s) {
        return s.location == ComputeLocation::kAt && s.at_stage == stage;
      });
  if (is_occupied || state.dag->stage(stage).HasReduction() ||
      state.stages[stage].IsPacked() ||
      IsReducedOverAndOver(*state.dag, stage) ||
      IsDearInReduction(*state.dag, stage, [&](int reader) {
        return state.stages[reader].location == ComputeLocation::kInlined;
      })) {
    return false;
  }
  const int64_t times = ReadsPerElement(state, stage);
  return times <= 1 || !ReadsNeighbours(state.dag->stage(stage)) ||
         times * StoredReads(state, stage) <= kMaxInlinedReads;
}

}  // namespace

std::vector<int32_t> LocationsOf(const LoopState& state, int stage) {
  std::vector<int32_t> locations = {Location::kRoot};
  if (CanBeInlined(state, stage)) locations.push_back(Location::kInlined);
  for (int host : Hosts(state, stage)) {
    if (!state.dag->stage(host).opaque) AddLoops(state, stage, host, locations);
  }
  return locations;
}

bool LocationFits(const LoopState& state, int stage, int32_t location) {
  if (location == Location::kInlined) return CanBeInlined(state, stage);
  if (!Location::IsAt(location)) return location == Location::kRoot;
  const int at = Location::StageOf(location), loop = Location::LoopOf(location);
  if (at >= state.dag->size()) return false;
  const StageState& target = state.stages[at];
  return target.location != ComputeLocation::kInlined &&
         loop < static_cast<int>(target.iterators.size()) &&
         target.iterators[loop].extent > 1 &&
         ReadersAreInside(state, stage, at, loop);
}

absl::Status Place(int stage, int32_t location, Schedule& schedule,
                   LoopState& state) {
  TransformStep step = ComputeRootStep{.stage = stage};
  if (location == Location::kInlined) {
    step = ComputeInlineStep{.stage = stage};
  } else if (Location::IsAt(location)) {
    step = ComputeAtStep{.stage = stage,
                         .target_stage = Location::StageOf(location),
                         .target_iterator = Location::LoopOf(location)};
  }
  schedule.steps.push_back(std::move(step));
  RETURN_IF_ERROR(
      ApplyStep(schedule, static_cast<int>(schedule.steps.size()) - 1, state));
  return InferBounds(state);
}

}  // namespace pruner
