// What the fastest candidate computes on other inputs than those it was timed
// with.
#ifndef HALIDE_EXT_RUNNER_VERIFY_WINNER_H_
#define HALIDE_EXT_RUNNER_VERIFY_WINNER_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/workload/workload.h"

namespace pruner {

inline constexpr absl::Duration kVerifyTimeout = absl::Minutes(2);

// Measures it once with whole numbers and once with zeros, in a worker of its
// own; `options` are those it was measured with. If these leave out code for
// other outputs, all of it is compiled, too, within kVerifyTimeout. Internal,
// naming the inputs, if that fails; the errors of WorkerMeasurer::Measure.
absl::Status VerifyWinner(WorkerMeasurer::Options options,
                          const Workload& workload, MeasurePolicy policy,
                          const Schedule& schedule);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_VERIFY_WINNER_H_
