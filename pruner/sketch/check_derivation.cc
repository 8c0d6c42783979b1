#include "pruner/sketch/check_derivation.h"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// So many times the task's stages may a schedule have: a rule that goes on
// inserting them would never come to an end.
constexpr int kMaxGrowth = 8;

template <typename... Parts>
absl::Status Refuse(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat(parts...));
}

absl::Status CheckSteps(const Schedule& from, const Schedule& next) {
  if (next.steps.size() < from.steps.size() ||
      !std::equal(from.steps.begin(), from.steps.end(), next.steps.begin()))
    return Refuse("it changed or removed earlier steps; rules append theirs");
  for (size_t i = from.steps.size(); i < next.steps.size(); ++i) {
    const auto* split = std::get_if<SplitStep>(&next.steps[i]);
    if (split == nullptr) continue;
    const auto holes =
        std::count(split->lengths.begin(), split->lengths.end(), 0);
    if (holes != 0 && holes != std::ssize(split->lengths)) {
      return Refuse("step ", i,
                    " has lengths and holes; the sampler fills a split as a "
                    "whole, so write all lengths or none");
    }
  }
  return absl::OkStatus();
}

// What is wrong with the structure does not depend on the sizes.
Schedule WithoutHoles(Schedule schedule) {
  for (TransformStep& step : schedule.steps) {
    if (auto* split = std::get_if<SplitStep>(&step)) {
      for (int64_t& length : split->lengths)
        length = std::max<int64_t>(length, 1);
    } else if (auto* rfactor = std::get_if<RfactorStep>(&step)) {
      rfactor->factor = std::max<int64_t>(rfactor->factor, 1);
    }
  }
  return schedule;
}

absl::Status CheckState(const ComputeDag& dag, const Derivation& next) {
  ASSIGN_OR_RETURN(const LoopState state, ReplayStructure(dag, next.schedule));
  if (state.dag != next.state.dag || state.stages != next.state.stages) {
    return Refuse(
        "its state is not what its steps make of the DAG; change both with "
        "Append");
  }
  return Replay(dag, WithoutHoles(next.schedule)).status();
}

absl::Status CheckProgress(const ComputeDag& dag, const Derivation& from,
                           const Derivation& next) {
  const int stages = next.dag().size();
  const int inserted = stages - from.dag().size();
  if (next.stage < -1 || next.stage >= from.stage + std::max(inserted, 0)) {
    return Refuse("it goes on with stage ", next.stage, " after stage ",
                  from.stage,
                  ", and so decides nothing; go on with one before");
  }
  if (stages > kMaxGrowth * dag.size()) {
    return Refuse("it inserts stages without end: ", stages, " of ",
                  dag.size());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckDerivation(const SketchContext& context,
                             const Derivation& from, const Derivation& next) {
  RETURN_IF_ERROR(CheckSteps(from.schedule, next.schedule));
  RETURN_IF_ERROR(CheckState(context.dag, next));
  return CheckProgress(context.dag, from, next);
}

}  // namespace pruner
