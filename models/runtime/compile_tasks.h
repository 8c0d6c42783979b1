// Compiles the kernels of a network.
#ifndef MODELS_RUNTIME_COMPILE_TASKS_H_
#define MODELS_RUNTIME_COMPILE_TASKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "models/ops/tasks.h"
#include "models/runtime/network.h"
#include "pruner/base/row_layout.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// A kernel of a network.
struct KernelTask {
  const NetworkTask* task = nullptr;
  RowLayout output_rows{};
};

struct CompiledTask {
  Kernel kernel;
  // What the kernel's arguments are: "out" and names of the task's inputs.
  std::vector<std::string> arguments;
};

// The kernels of the tasks, in their order, several compiled at a time. The
// first error, in the order of the tasks, with the task's name; see
// Network::Build.
absl::StatusOr<std::vector<CompiledTask>> CompileTasks(
    absl::Span<const KernelTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options);

// The same, but each on its own: one that cannot be compiled is no other's
// misfortune.
std::vector<absl::StatusOr<CompiledTask>> CompileEachTask(
    absl::Span<const KernelTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options);

}  // namespace pruner

#endif  // MODELS_RUNTIME_COMPILE_TASKS_H_
