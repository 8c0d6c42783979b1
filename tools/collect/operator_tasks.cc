#include "tools/collect/operator_tasks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "pruner/base/status_macros.h"
#include "pruner/workload/workload.h"
#include "tools/bench/operator_suite.h"

namespace pruner {
namespace {

bool IsNamed(const OperatorCase& each, const std::string& name) {
  return absl::EqualsIgnoreCase(name, each.op) ||
         absl::EqualsIgnoreCase(name, absl::StrCat(each.op, "_", each.shape));
}

// The values that a member of the suite's cases has, each once, in order.
template <typename Value>
std::vector<Value> ValuesOf(absl::Span<const OperatorCase> suite,
                            Value OperatorCase::* member) {
  std::vector<Value> values;
  for (const OperatorCase& each : suite) {
    if (std::find(values.begin(), values.end(), each.*member) == values.end())
      values.push_back(each.*member);
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<TuningTask>> OperatorTasks(
    absl::Span<const std::string> names, int batch, const TargetSpec& target) {
  const std::vector<OperatorCase> suite = OperatorSuite(
      SuiteSizes::kFull, static_cast<int>(target.units.simd_lanes));
  std::vector<TuningTask> tasks;
  for (const std::string& name : names) {
    bool is_known = false, is_made = false;
    for (const OperatorCase& each : suite) {
      if (!IsNamed(each, name)) continue;
      is_known = true;
      if (each.batch != batch) continue;
      is_made = true;
      ASSIGN_OR_RETURN(Workload workload,
                       MakeWorkload(each.Name(), each.make()));
      tasks.push_back({.workload = std::move(workload)});
    }
    if (!is_known) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--operators: there is no operator '", name, "'; there are ",
          absl::StrJoin(ValuesOf(suite, &OperatorCase::op), ", "),
          ", and single shapes such as GMM_2"));
    }
    if (!is_made) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--batch=", batch, ": operators have batches of ",
          absl::StrJoin(ValuesOf(suite, &OperatorCase::batch), " or ")));
    }
  }
  return tasks;
}

}  // namespace pruner
