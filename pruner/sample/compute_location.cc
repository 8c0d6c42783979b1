#include "pruner/sample/compute_location.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"
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
              std::vector<ComputeAtStep>& out) {
  const StageState& t = state.stages[target];
  const bool tiled = IsTiled(t);
  bool seen_reduction = false;
  for (size_t i = 0; i < t.iterators.size(); ++i) {
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
      out.push_back(
          {.stage = stage, .target_stage = target, .target_iterator = loop});
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
      IsReducedOverAndOver(*state.dag, stage)) {
    return false;
  }
  const int64_t times = ReadsPerElement(state, stage);
  return times <= 1 || !ReadsNeighbours(state.dag->stage(stage)) ||
         times * StoredReads(state, stage) <= kMaxInlinedReads;
}

// Whether a location that was chosen under other tile sizes or for other stages
// is one still.
bool Fits(const LoopState& state, const TransformStep& location) {
  if (std::holds_alternative<ComputeInlineStep>(location))
    return CanBeInlined(state, StageOf(location));
  const auto* at = std::get_if<ComputeAtStep>(&location);
  if (at == nullptr) return true;
  const StageState& target = state.stages[at->target_stage];
  return target.location != ComputeLocation::kInlined &&
         at->target_iterator < static_cast<int>(target.iterators.size()) &&
         ReadersAreInside(state, at->stage, at->target_stage,
                          at->target_iterator);
}

TransformStep DrawLocation(const LoopState& state, int stage, Rng& rng) {
  std::vector<TransformStep> locations = {ComputeRootStep{.stage = stage}};
  if (CanBeInlined(state, stage))
    locations.emplace_back(ComputeInlineStep{.stage = stage});
  for (const ComputeAtStep& at : LocationCandidates(state, stage))
    locations.emplace_back(at);
  return rng.Pick(locations);
}

}  // namespace

bool IsPlaceable(const LoopState& state, int stage) {
  const Stage& s = state.dag->stage(stage);
  return s.kind == StageKind::kCompute && !s.is_output && !s.opaque &&
         !state.stages[stage].is_placed &&
         (s.HasSelectingAxes() || !IsTiled(state.stages[stage]) ||
          state.stages[stage].IsPacked()) &&
         !HasDataReuse(*state.dag, stage);
}

std::vector<ComputeAtStep> LocationCandidates(const LoopState& state,
                                              int stage) {
  std::vector<ComputeAtStep> candidates;
  for (int host : Hosts(state, stage)) {
    if (!state.dag->stage(host).opaque)
      AddLoops(state, stage, host, candidates);
  }
  return candidates;
}

absl::Status DrawLocations(const Choices& choices, Rng& rng, Schedule& schedule,
                           LoopState& state) {
  for (int stage = state.dag->size() - 1; stage >= 0; --stage) {
    if (!IsPlaceable(state, stage)) continue;
    const std::optional<TransformStep>& chosen = choices[stage].location;
    schedule.steps.push_back(chosen && Fits(state, *chosen)
                                 ? *chosen
                                 : DrawLocation(state, stage, rng));
    RETURN_IF_ERROR(ApplyStep(
        schedule, static_cast<int>(schedule.steps.size()) - 1, state));
    RETURN_IF_ERROR(InferBounds(state));
  }
  return absl::OkStatus();
}

}  // namespace pruner
