#include "pruner/sketch/check_derivation.h"

#include <algorithm>
#include <cstddef>
#include <string>
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
                    " has lengths and holes; a split is filled as a whole, so "
                    "write all lengths or none");
    }
  }
  return absl::OkStatus();
}

// How many values the step waits for.
int Holes(const TransformStep& step) {
  if (const auto* rfactor = std::get_if<RfactorStep>(&step))
    return rfactor->factor == 0 ? 1 : 0;
  if (const auto* split = std::get_if<SplitStep>(&step)) {
    return static_cast<int>(
        std::count(split->lengths.begin(), split->lengths.end(), 0));
  }
  return 0;
}

absl::Status CheckDecision(const Derivation& next, const Decision& decision,
                           const std::vector<int>& final_stages) {
  const int steps = static_cast<int>(next.schedule.steps.size());
  const bool exists = decision.stage >= 0 && decision.stage < next.dag().size();
  if (!exists || decision.step >= steps)
    return Refuse("decision '", DecisionText(decision), "' is of nothing");
  const std::string at =
      decision.step < 0 ? "" : absl::StrCat("step ", decision.step, ": ");
  if (absl::Status status = CheckDomain(decision); !status.ok())
    return Refuse(at, status.message());
  if (decision.step < 0) return absl::OkStatus();
  if (decision.stage != final_stages[decision.step])
    return Refuse(at, "its decision is of stage ", decision.stage);
  if (decision.HasLengths() &&
      decision.count != Holes(next.schedule.steps[decision.step])) {
    return Refuse(at, "its decision has ", decision.count,
                  " values, which are not its holes");
  }
  return absl::OkStatus();
}

absl::Status CheckDecisions(const Derivation& next) {
  const std::vector<int> stages = FinalStages(next.schedule);
  std::vector<int> decided(next.schedule.steps.size(), 0);
  for (const Decision& decision : next.decisions) {
    RETURN_IF_ERROR(CheckDecision(next, decision, stages));
    if (decision.step >= 0) ++decided[decision.step];
  }
  for (size_t i = 0; i < decided.size(); ++i) {
    const int wanted = Holes(next.schedule.steps[i]) > 0 ? 1 : 0;
    if (decided[i] < wanted) {
      return Refuse("step ", i,
                    " has a hole without a decision; append both with "
                    "AppendTile or the like");
    }
    if (decided[i] > 1) return Refuse("step ", i, " has two decisions");
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
  RETURN_IF_ERROR(CheckDecisions(next));
  return CheckProgress(context.dag, from, next);
}

}  // namespace pruner
