// The measuring worker: a process that compiles and runs candidates, so that
// whatever they do (crash, hang, exhaust memory) stays there.
#ifndef HALIDE_EXT_RUNNER_WORKER_H_
#define HALIDE_EXT_RUNNER_WORKER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// For tests: what happens around the compiling and the runs of a candidate.
struct WorkerHooks {
  std::function<void()> before_compile;
  std::function<void()> before_reference;
  std::function<void(const Schedule&)> before_assessment;
  std::function<void(const Schedule&)> before_run;
  // May change the bytes of an output, which is then compared with the
  // reference.
  std::function<void(const Schedule&, absl::Span<uint8_t> output)> after_run;
};

// If this process was started to be a worker, serves requests until the parent
// closes the connection, and returns the exit code; nullopt at once otherwise.
// The first thing in main of whatever program WorkerMeasurer starts.
std::optional<int> RunIfWorker(const WorkerHooks& hooks = {});

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_WORKER_H_
