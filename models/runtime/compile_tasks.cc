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

absl::StatusOr<CompiledTask> CompileTask(const NetworkTask& task,
                                         const SchedulesByWorkload& schedules,
                                         const TargetSpec& target) {
  const auto schedule = schedules.find(task.workload.key);
  if (schedule == schedules.end()) {
    return absl::NotFoundError("there is no schedule for it; tune it first");
  }
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(task.workload.pipeline));
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
  CompileQueue(absl::Span<const NetworkTask> tasks,
               const NetworkOptions& options)
      : tasks_(tasks), options_(options), results_(tasks.size()) {}

  // The next task to compile; nullopt once there is none or one has failed.
  std::optional<size_t> Next() {
    absl::MutexLock lock(mutex_);
    if (failed_ || next_ == tasks_.size()) return std::nullopt;
    return next_++;
  }

  void Finish(size_t task, absl::StatusOr<CompiledTask> result) {
    absl::MutexLock lock(mutex_);
    failed_ = failed_ || !result.ok();
    results_[task] = std::move(result);
    ++done_;
    if (options_.progress && !failed_) {
      options_.progress(done_, static_cast<int>(tasks_.size()),
                        tasks_[task].workload.name);
    }
  }

  // To be called when no thread is at work.
  absl::StatusOr<std::vector<CompiledTask>> TakeResults() {
    absl::MutexLock lock(mutex_);
    std::vector<CompiledTask> compiled;
    for (size_t i = 0; i < results_.size(); ++i) {
      // Tasks are begun in order, so before any that was not there is the one
      // that failed.
      const absl::Status& status = results_[i]->status();
      if (!status.ok()) {
        return absl::Status(
            status.code(),
            absl::StrCat(tasks_[i].workload.name, ": ", status.message()));
      }
      compiled.push_back(**std::move(results_[i]));
    }
    return compiled;
  }

 private:
  const absl::Span<const NetworkTask> tasks_;
  const NetworkOptions& options_;
  absl::Mutex mutex_;
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  int done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool failed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::optional<absl::StatusOr<CompiledTask>>> results_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::StatusOr<std::vector<CompiledTask>> CompileTasks(
    absl::Span<const NetworkTask> tasks, const SchedulesByWorkload& schedules,
    const TargetSpec& target, const NetworkOptions& options) {
  CompileQueue queue(tasks, options);
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

}  // namespace pruner
