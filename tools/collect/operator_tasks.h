// Operators of the benchmarks' suite as tuning tasks.
#ifndef TOOLS_COLLECT_OPERATOR_TASKS_H_
#define TOOLS_COLLECT_OPERATOR_TASKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// `names` are operators ("gmm", all of its shapes) or one of their shapes
// ("gmm_2"); the case of letters does not matter. `batch` is one that the suite
// has. Errors name the flag and say what there is.
absl::StatusOr<std::vector<TuningTask>> OperatorTasks(
    absl::Span<const std::string> names, int batch, const TargetSpec& target);

}  // namespace pruner

#endif  // TOOLS_COLLECT_OPERATOR_TASKS_H_
