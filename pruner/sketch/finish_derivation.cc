#include "pruner/sketch/finish_derivation.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/sketch/bind_remaining.h"
#include "pruner/sketch/derivation_steps.h"

namespace pruner {
namespace {

// Of inputs that are smaller the first lines are waited for, whatever is done.
constexpr int64_t kMinStreamedBytes = 64 << 10;

void LeaveParallelOpen(Derivation& derivation) {
  for (int stage = 0; stage < derivation.dag().size(); ++stage) {
    const Stage& s = derivation.dag().stage(stage);
    if (s.kind == StageKind::kCompute && !s.opaque && !s.shape.empty() &&
        derivation.state.stages[stage].location == ComputeLocation::kRoot) {
      AddDecision({.kind = DecisionKind::kParallel, .stage = stage},
                  derivation);
    }
  }
}

void LeaveUnrollingOpen(const TargetSpec& target, Derivation& derivation) {
  const std::vector<int64_t>& steps = target.tiling.auto_unroll_steps;
  if (steps.empty()) return;
  for (int stage = 0; stage < derivation.dag().size(); ++stage) {
    const Stage& s = derivation.dag().stage(stage);
    if (s.kind == StageKind::kCompute && !s.opaque && s.HasReduction()) {
      AddDecision({.kind = DecisionKind::kUnroll,
                   .stage = stage,
                   .domain = ChoiceDomain{.choices = steps}},
                  derivation);
    }
  }
}

// The largest cold input that the stage reads; -1 if it reads none that is more
// than a few pages, of which nothing is gained.
int ColdInputOf(const SketchContext& context, const ComputeDag& dag,
                const Stage& stage) {
  int coldest = -1;
  int64_t most = kMinStreamedBytes - 1;
  for (const Access& read : stage.reads) {
    const Stage& input = dag.stage(read.stage);
    const int64_t bytes = input.SpatialSize() * input.ElementBytes();
    if (input.kind != StageKind::kPlaceholder || bytes <= most ||
        std::find(context.cold_inputs.begin(), context.cold_inputs.end(),
                  input.name) == context.cold_inputs.end()) {
      continue;
    }
    coldest = read.stage;
    most = bytes;
  }
  return coldest;
}

// What is prefetched has to stay in a cache until it is used, beside what is
// in use.
std::vector<int64_t> StreamChoices(const TargetSpec& target) {
  std::vector<int64_t> choices = {0};
  for (const int64_t bytes :
       {target.l1.size_bytes / 2, target.l2.size_bytes / 8,
        target.l2.size_bytes / 2}) {
    if (bytes > choices.back()) choices.push_back(bytes);
  }
  return choices;
}

absl::Status LeaveStreamsOpen(const SketchContext& context,
                              Derivation& derivation) {
  for (int stage = 0; stage < derivation.dag().size(); ++stage) {
    const Stage& s = derivation.dag().stage(stage);
    if (s.kind != StageKind::kCompute || s.opaque || !s.HasReduction())
      continue;
    const int input = ColdInputOf(context, derivation.dag(), s);
    if (input < 0) continue;
    const int step = static_cast<int>(derivation.schedule.steps.size());
    RETURN_IF_ERROR(
        Append(StreamStep{.stage = stage, .source = input}, derivation));
    AddDecision(
        {.kind = DecisionKind::kStream,
         .stage = stage,
         .step = step,
         .domain = ChoiceDomain{.choices = StreamChoices(context.target)}},
        derivation);
  }
  return absl::OkStatus();
}

absl::Status BindAll(const SketchContext& context, Derivation& derivation) {
  for (const Decision& decision : derivation.decisions) {
    if (decision.kind != DecisionKind::kLocation) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "it is open where stage '", derivation.dag().stage(decision.stage).name,
        "' is computed; rules for targets with threads say it"));
  }
  return BindRemaining(context, derivation);
}

// Those with holes in the order of their steps, then locations, last stage
// first, then others by stage.
void Sort(std::vector<Decision>& decisions) {
  const auto rank = [](const Decision& decision) {
    const bool is_location = decision.kind == DecisionKind::kLocation;
    return std::tuple(decision.step < 0 ? static_cast<int>(decision.kind) : -1,
                      decision.step,
                      is_location ? -decision.stage : decision.stage);
  };
  std::stable_sort(
      decisions.begin(), decisions.end(),
      [&](const Decision& a, const Decision& b) { return rank(a) < rank(b); });
  int first = 0;
  for (Decision& decision : decisions) {
    decision.first = first;
    first += decision.count;
  }
}

}  // namespace

absl::StatusOr<Sketch> FinishDerivation(const SketchContext& context,
                                        Derivation derivation) {
  Sketch sketch;
  if (context.target.HasThreads()) {
    RETURN_IF_ERROR(BindAll(context, derivation));
  } else {
    LeaveParallelOpen(derivation);
    RETURN_IF_ERROR(LeaveStreamsOpen(context, derivation));
    sketch.annotates_innermost = context.target.units.simd_lanes > 1;
  }
  LeaveUnrollingOpen(context.target, derivation);
  Sort(derivation.decisions);
  sketch.schedule = std::move(derivation.schedule);
  sketch.decisions = std::move(derivation.decisions);
  return sketch;
}

}  // namespace pruner
