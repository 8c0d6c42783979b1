#include "models/runtime/compile_tasks.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::StatusOr<CompiledTask> CompileTask(const KernelTask& kernel_task,
                                         const SchedulesByWorkload& schedules,
                                         const TargetSpec& target) {
  const NetworkTask& task = *kernel_task.task;
  const auto schedule = schedules.find(task.workload.key);
  if (schedule == schedules.end()) {
    return absl::NotFoundError("there is no schedule for it; tune it first");
  }
  ASSIGN_OR_RETURN(const WorkloadPipeline dense,
                   WorkloadPipeline::Load(task.workload.pipeline));
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   dense.WithOutputRows(kernel_task.output_rows));
  ASSIGN_OR_RETURN(Kernel kernel, pipeline.Compile(schedule->second, target));
  CompiledTask compiled{.kernel = std::move(kernel), .arguments = {}};
  for (const KernelArgument& argument : pipeline.arguments()) {
    compiled.arguments.push_back(argument.name);
  }
  return compiled;
}

// Hands out the tasks to the threads and collects what they make of them.
class CompileQueue {
 public:
  // With `keep_going` a task that fails does not keep others from being begun.
  CompileQueue(absl::Span<const KernelTask> tasks,
               const NetworkOptions& options, bool keep_going)
      : tasks_(tasks),
        options_(options),
        keep_going_(keep_going),
        results_(tasks.size()) {}

  // The next task to compile; nullopt if there is none to begin.
  std::optional<size_t> Next() {
    absl::MutexLock lock(mutex_);
    if ((failed_ && !keep_going_) || next_ == tasks_.size())
      return std::nullopt;
    return next_++;
  }

  void Finish(size_t task, absl::StatusOr<CompiledTask> result) {
    absl::MutexLock lock(mutex_);
    failed_ = failed_ || !result.ok();
    results_[task] = std::move(result);
    ++done_;
    if (options_.progress && !failed_) {
      options_.progress(done_, static_cast<int>(tasks_.size()),
                        tasks_[task].task->workload.name);
    }
  }

  // Of the tasks that were begun, which are the first ones; errors have the
  // task's name. To be called when no thread is at work.
  std::vector<absl::StatusOr<CompiledTask>> TakeResults() {
    absl::MutexLock lock(mutex_);
    std::vector<absl::StatusOr<CompiledTask>> compiled;
    for (size_t i = 0; i < next_; ++i) {
      absl::StatusOr<CompiledTask>& result = *results_[i];
      if (result.ok()) {
        compiled.push_back(std::move(result));
      } else {
        compiled.push_back(
            absl::Status(result.status().code(),
                         absl::StrCat(tasks_[i].task->workload.name, ": ",
                                      result.status().message())));
      }
    }
    return compiled;
  }

 private:
  const absl::Span<const KernelTask> tasks_;
  const NetworkOptions& options_;
  const bool keep_going_;
  absl::Mutex mutex_;
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  int done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool failed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::optional<absl::StatusOr<CompiledTask>>> results_
      ABSL_GUARDED_BY(mutex_);
};

std::vector<absl::StatusOr<CompiledTask>> Compile(
    absl::Span<const KernelTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options, bool keep_going) {
  CompileQueue queue(tasks, options, keep_going);
  const auto work = [&] {
    while (const std::optional<size_t> task = queue.Next()) {
      queue.Finish(*task, CompileTask(tasks[*task], schedules, target));
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < options.compile_threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return queue.TakeResults();
}

}  // namespace

absl::StatusOr<std::vector<CompiledTask>> CompileTasks(
    absl::Span<const KernelTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options) {
  std::vector<CompiledTask> compiled;
  for (absl::StatusOr<CompiledTask>& result :
       Compile(tasks, schedules, target, options, /*keep_going=*/false)) {
    RETURN_IF_ERROR(result.status());
    compiled.push_back(*std::move(result));
  }
  return compiled;
}

std::vector<absl::StatusOr<CompiledTask>> CompileEachTask(
    absl::Span<const KernelTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options) {
  return Compile(tasks, schedules, target, options, /*keep_going=*/true);
}

}  // namespace pruner
