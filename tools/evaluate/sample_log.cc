#include "tools/evaluate/sample_log.h"

#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/record/record_log.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload.h"

namespace pruner {

LogContents SampleLog(const SampleLogOptions& options) {
  const std::vector<TuningTask> tasks = {
      {.workload = Workload("conv", "", ConvBiasReluDag({.size = 14}))},
      {.workload = Workload("matmul", "", MatmulReluDag(64, 256, 64))}};
  const TempDirectory directory = TempDirectory::Create().value();
  const TargetSpec target = SampleCpuTarget();
  auto opened = RecordLog::Open(directory.File("records.log"));
  CHECK_OK(opened.status());
  FakeMeasurer measurer({.failure_rate = options.failure_rate});
  RoundRobinScheduler scheduler;
  FakeClock clock;
  const TuningTools tools = {
      .target = target,
      .measurer = measurer,
      .scheduler = scheduler,
      .make_policy =
          [&](const TuningTask& task) {
            return (*FindPolicy("random"))
                ->make({.context = ContextOf(task, target)});
          },
      .clock = clock,
      .log = &opened->log};
  CHECK_OK(
      Tune(tasks, {}, tools,
           {.trials = static_cast<int64_t>(tasks.size()) * options.programs,
            .task_trials = options.programs,
            .race_candidates = options.race,
            .seed = options.seed})
          .status());
  absl::StatusOr<LogContents> contents = ReadRecordLog(opened->log.path());
  CHECK_OK(contents.status());
  return *std::move(contents);
}

}  // namespace pruner
