#include "pruner/program/resolve.h"

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/check_regions.h"
#include "pruner/program/resolver.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

absl::Status CheckNoHoles(const Schedule& schedule) {
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const auto* split = std::get_if<SplitStep>(&schedule.steps[i]);
    const auto* rfactor = std::get_if<RfactorStep>(&schedule.steps[i]);
    const bool has_hole =
        (rfactor != nullptr && rfactor->factor == 0) ||
        (split != nullptr &&
         std::find(split->lengths.begin(), split->lengths.end(), 0) !=
             split->lengths.end());
    if (has_hole) {
      return absl::InvalidArgumentError(
          absl::StrCat("step ", i, " still has a hole"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Program> Resolve(const ComputeDag& dag, const Schedule& schedule,
                                const TargetSpec& target) {
  RETURN_IF_ERROR(CheckNoHoles(schedule));
  ASSIGN_OR_RETURN(const LoopState state, ReplayStructure(dag, schedule));
  ASSIGN_OR_RETURN(const Structure structure, MakeStructure(schedule, state));
  Program program;
  Resolver resolver(target);
  resolver.Resolve(structure, NumbersOf(schedule), program);
  RETURN_IF_ERROR(CheckRegions(resolver.loops()));
  return program;
}

}  // namespace pruner
