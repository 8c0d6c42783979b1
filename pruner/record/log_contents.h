// What a record log holds, and reading it.
//
// A log is a record file (pruner/base/os/record_file.h). Its entries explain
// themselves: the format, then targets, workloads and runs, each before the
// records that name it by its key. So one log holds any mix of networks,
// targets and ways to measure, and damage costs what was damaged only.
#ifndef PRUNER_RECORD_LOG_CONTENTS_H_
#define PRUNER_RECORD_LOG_CONTENTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/run_info.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

inline constexpr int kLogFormat = 2;

struct LogContents {
  std::map<TargetKey, TargetSpec> targets = {};
  std::map<WorkloadKey, Workload> workloads = {};
  std::map<int64_t, LoggedRun> runs = {};   // by id
  std::vector<MeasureRecord> records = {};  // as they were appended, each once
  // Of a log of format 1, of which there is nothing above.
  std::optional<LegacyLog> legacy = std::nullopt;
  // Entries that this version cannot read, such as schedules with steps it does
  // not know. They remain in the file.
  int64_t unreadable = 0;
  // Sentences for the user: what was damaged, what could not be read.
  std::vector<std::string> notes = {};

  // For people: the name under which it was logged, or the key where that entry
  // is lost.
  std::string NameOf(WorkloadKey key) const;
  std::string NameOf(TargetKey key) const;
};

// Reads a log and leaves it as it is, also while it is written. Errors: no such
// file; not a record log; nothing in it; a newer format.
absl::StatusOr<LogContents> ReadRecordLog(const std::string& path);

}  // namespace pruner

#endif  // PRUNER_RECORD_LOG_CONTENTS_H_
