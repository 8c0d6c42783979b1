#include "halide_ext/build/author_schedules.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/functions_of.h"
#include "pruner/base/hash.h"

namespace pruner {
namespace {

using Halide::LoopLevel;
using HalideDefinition = Halide::Internal::Definition;
using Halide::Internal::FuncSchedule;
using Halide::Internal::Function;

bool IsScheduled(const HalideDefinition& definition) {
  for (const Halide::Internal::Dim& dim : definition.schedule().dims()) {
    if (dim.for_type != Halide::Internal::ForType::Serial ||
        dim.device_api != Halide::DeviceAPI::None) {
      return true;
    }
  }
  return !definition.schedule().splits().empty() ||
         !definition.specializations().empty();
}

// Whose loop levels are fixed.
bool IsScheduled(const Function& function) {
  const FuncSchedule& schedule = function.schedule();
  if (!schedule.compute_level().is_inlined() ||
      !schedule.store_level().is_inlined() || !schedule.wrappers().empty()) {
    return true;
  }
  return HasScheduledLoops(function);
}

void Print(const HalideDefinition& definition, std::ostream& out) {
  for (const Halide::Internal::Split& split : definition.schedule().splits()) {
    out << split.old_var << ' ' << split.outer << ' ' << split.inner << ' '
        << split.factor << ' ' << split.tail << ' '
        << static_cast<int>(split.split_type) << '\n';
  }
  for (const Halide::Internal::Dim& dim : definition.schedule().dims()) {
    out << dim.var << ' ' << dim.for_type << ' ' << dim.device_api << '\n';
  }
  for (const auto& specialization : definition.specializations()) {
    out << specialization.condition << '\n';
    Print(specialization.definition, out);
  }
}

std::string Text(const Function& function) {
  const FuncSchedule& schedule = function.schedule();
  std::ostringstream out;
  out << schedule.compute_level().to_string() << '\n'
      << schedule.store_level().to_string() << '\n'
      << schedule.memory_type() << '\n';
  for (const auto& dim : schedule.storage_dims()) out << dim.var << '\n';
  if (function.has_pure_definition()) Print(function.definition(), out);
  for (const HalideDefinition& update : function.updates()) Print(update, out);
  return out.str();
}

// Zero stands for nothing.
uint64_t HashOf(const Function& function) {
  return Fingerprint(Text(function)) | 1;
}

}  // namespace

bool HasScheduledLoops(const Function& function) {
  if (function.has_pure_definition() && IsScheduled(function.definition()))
    return true;
  const std::vector<HalideDefinition>& updates = function.updates();
  return std::any_of(updates.begin(), updates.end(),
                     [](const HalideDefinition& d) { return IsScheduled(d); });
}

AuthorSchedules AuthorSchedulesOf(const Halide::Pipeline& pipeline) {
  std::map<std::string, Function> functions = FunctionsOf(pipeline);
  std::set<std::string> names;
  for (auto& [name, function] : functions) {
    function.lock_loop_levels();
    if (!IsScheduled(function)) continue;
    names.insert(name);
    for (const LoopLevel& level : {function.schedule().compute_level(),
                                   function.schedule().store_level()}) {
      if (!level.is_inlined() && !level.is_root()) names.insert(level.func());
    }
  }
  AuthorSchedules schedules;
  for (const auto& [name, function] : functions) {
    if (names.contains(name)) schedules[name] = HashOf(function);
  }
  return schedules;
}

absl::Status CheckUnscheduled(const Halide::Pipeline& pipeline) {
  for (auto& [name, function] : FunctionsOf(pipeline)) {
    Function(function).lock_loop_levels();
    if (!IsScheduled(function)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "'", name,
        "' is scheduled already: serialize the pipeline before anything is "
        "scheduled"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
