// Writing a record log: what has been measured is on disk before the next
// candidate starts, and nothing that is there is ever lost or overwritten.
#ifndef PRUNER_RECORD_RECORD_LOG_H_
#define PRUNER_RECORD_RECORD_LOG_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/os/record_file.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/run_info.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// The one writer of a log. Not thread-safe.
class RecordLog {
 public:
  struct Opened;
  // Opens the log, or makes one. A damaged end is cut off and kept in
  // PATH.dropped. FailedPrecondition, and nothing is touched, if the log is of
  // another format than kLogFormat (see convert_log.h), if a workload or a
  // target in it does not match its key, or if somebody else is writing it.
  static absl::StatusOr<Opened> Open(const std::string& path);

  // OK if there is no log, or one that Open would add to.
  static absl::Status Check(const std::string& path);

  // What follows is on disk on return.

  // Adds a run, and the target if the log lacks it. Returns the run's id.
  absl::StatusOr<int64_t> BeginRun(const RunInfo& info,
                                   const TargetSpec& target);
  // Adds the workload if the log lacks it.
  absl::Status AddWorkload(const Workload& workload);
  // The record's workload and target must be in the log.
  absl::Status Append(const MeasureRecord& record);

  const std::string& path() const { return writer_.path(); }

 private:
  explicit RecordLog(RecordFileWriter writer) : writer_(std::move(writer)) {}

  // Not to write twice what is there.
  void Note(const LogContents& contents);
  absl::Status Write(proto::LogEntry entry);

  RecordFileWriter writer_;
  std::set<TargetKey> targets_;
  std::set<WorkloadKey> workloads_;
  int64_t next_run_ = 1;
};

struct RecordLog::Opened {
  RecordLog log;
  LogContents contents;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_RECORD_LOG_H_
