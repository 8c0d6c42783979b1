#include "pruner/sample/compute_location.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// The stage at whose loops all readers of `stage` come together: its single
// consumer, looking through inlined ones.
std::optional<int> SingleReader(const LoopState& state, int stage) {
  const std::vector<int>& consumers = state.dag->consumers(stage);
  if (consumers.size() != 1) return std::nullopt;
  const int consumer = consumers[0];
  if (state.stages[consumer].location == ComputeLocation::kInlined) {
    return SingleReader(state, consumer);
  }
  return consumer;
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
    if (iterator.extent > 1) {
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
  return !is_occupied && !state.dag->stage(stage).HasReduction() &&
         !IsReducedOverAndOver(*state.dag, stage);
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
         !state.stages[stage].is_placed && !IsTiled(state.stages[stage]) &&
         !HasDataReuse(*state.dag, stage);
}

std::vector<ComputeAtStep> LocationCandidates(const LoopState& state,
                                              int stage) {
  std::vector<ComputeAtStep> candidates;
  const std::optional<int> reader = SingleReader(state, stage);
  if (!reader || state.dag->stage(*reader).opaque) return candidates;
  const StageState& r = state.stages[*reader];
  if (r.location == ComputeLocation::kAt)
    AddLoops(state, stage, r.at_stage, candidates);
  if (!r.iterators.empty() && ReadersAreInside(state, stage, *reader, 0))
    AddLoops(state, stage, *reader, candidates);
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
