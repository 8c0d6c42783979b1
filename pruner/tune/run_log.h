// What one run of the tuner puts into the log.
#ifndef PRUNER_TUNE_RUN_LOG_H_
#define PRUNER_TUNE_RUN_LOG_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/record/run_info.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

class RunLog {
 public:
  // Without a log records are numbered, and no more. `log` and `target` must
  // outlive it.
  RunLog(RecordLog* log, RunInfo run, const TargetSpec& target)
      : log_(log), info_(std::move(run)), target_(target) {}

  // Numbers go on behind those of the records that are there.
  void AddEarlier(const MeasureRecord& record);

  // Gives the record its number and run. It is on disk on return, and before it
  // what it names: a run that measures nothing leaves no trace.
  absl::Status Append(const Workload& workload, MeasureRecord& record);

 private:
  RecordLog* const log_;
  const RunInfo info_;
  const TargetSpec& target_;
  int64_t next_trial_ = 0;
  std::optional<int64_t> run_;  // its id, once it is in the log
};

}  // namespace pruner

#endif  // PRUNER_TUNE_RUN_LOG_H_
