// How fast random schedules of an operator are, timed in this process.
#ifndef TOOLS_BENCH_OPERATOR_TIMING_H_
#define TOOLS_BENCH_OPERATOR_TIMING_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "pruner/target/target_spec.h"
#include "tools/bench/operator_results.pb.h"
#include "tools/bench/operator_suite.h"

namespace pruner {

struct OperatorTimingOptions {
  int samples = 20;  // random schedules of each sketch
  uint64_t seed = 1;
  // Compare outputs: with those of the unscheduled pipeline up to a GFLOP of
  // work, beyond that of the default schedule, which the suite's test compares
  // with the former at reduced sizes.
  bool check = true;
  // Told what is wrong with a schedule, and each schedule that is the fastest
  // so far: a line, and then the schedule or its loops.
  std::function<void(const std::string&)> note;
};

// Error: what no schedule could mend.
absl::StatusOr<proto::OperatorResult> TimeOperator(
    const OperatorCase& operator_case, const TargetSpec& target,
    const OperatorTimingOptions& options);

// For people, a row for each operator and shape.
std::string OperatorTable(const proto::OperatorResults& results);

}  // namespace pruner

#endif  // TOOLS_BENCH_OPERATOR_TIMING_H_
