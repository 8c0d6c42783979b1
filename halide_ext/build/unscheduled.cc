#include "halide_ext/build/unscheduled.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

using Halide::Internal::Definition;
using Halide::Internal::Function;

bool IsScheduled(const Definition& definition) {
  for (const Halide::Internal::Dim& dim : definition.schedule().dims()) {
    if (dim.for_type != Halide::Internal::ForType::Serial ||
        dim.device_api != Halide::DeviceAPI::None) {
      return true;
    }
  }
  return !definition.schedule().splits().empty() ||
         !definition.specializations().empty();
}

bool IsScheduled(Function function) {
  function.lock_loop_levels();
  const Halide::Internal::FuncSchedule& schedule = function.schedule();
  if (!schedule.compute_level().is_inlined() ||
      !schedule.store_level().is_inlined() || !schedule.wrappers().empty()) {
    return true;
  }
  if (function.has_pure_definition() && IsScheduled(function.definition()))
    return true;
  for (const Definition& update : function.updates()) {
    if (IsScheduled(update)) return true;
  }
  return false;
}

}  // namespace

absl::Status CheckUnscheduled(const Halide::Pipeline& pipeline) {
  std::vector<Function> outputs;
  for (const Halide::Func& output : pipeline.outputs())
    outputs.push_back(output.function());
  for (const auto& [name, function] :
       Halide::Internal::build_environment(outputs)) {
    if (!IsScheduled(function)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "'", name,
        "' is scheduled already: serialize the pipeline before anything is "
        "scheduled"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
