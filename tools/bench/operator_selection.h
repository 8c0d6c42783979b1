// The flags --op, --shapes and --batch of programs that go through the suite.
#ifndef TOOLS_BENCH_OPERATOR_SELECTION_H_
#define TOOLS_BENCH_OPERATOR_SELECTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "tools/bench/operator_suite.h"

namespace pruner {

// The cases of the suite, at full size, that the flags select; weights are
// packed for vectors of `lanes`. Error: a flag lists what there is not.
absl::StatusOr<std::vector<OperatorCase>> SelectedCases(int lanes);

}  // namespace pruner

#endif  // TOOLS_BENCH_OPERATOR_SELECTION_H_
