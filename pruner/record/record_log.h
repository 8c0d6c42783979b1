// The log of a tuning run: what has been measured is on disk before the next
// candidate starts, and nothing that is there is ever lost or overwritten.
//
// The log is a record file (pruner/base/os/record_file.h) whose first record
// says for what the others were measured.
#ifndef PRUNER_RECORD_RECORD_LOG_H_
#define PRUNER_RECORD_RECORD_LOG_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/record_file.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// What all records of a log have in common.
struct LogHeader {
  std::string model = {};
  std::string target = {};  // its name
  uint64_t target_fingerprint = 0;
  int64_t batch = 1;  // of the network

  bool operator==(const LogHeader&) const = default;
};

// Identifies what makes timings comparable. The measured rates do not count:
// they differ a little each time a host is measured, and the host remains the
// same.
uint64_t TargetFingerprint(const TargetSpec& target);

LogHeader MakeLogHeader(absl::string_view model, const TargetSpec& target,
                        int64_t batch);

struct LogContents {
  LogHeader header = {};
  std::vector<MeasureRecord> records = {};  // as they were appended
  // Records that this version cannot read, such as schedules with steps it does
  // not know. They remain in the file.
  int64_t unreadable = 0;
  // Sentences for the user: what was damaged, what could not be read.
  std::vector<std::string> notes = {};
};

// Reads a log and leaves it as it is, also while it is written. Errors: no such
// file; not a record log; no header; a newer format.
absl::StatusOr<LogContents> ReadRecordLog(const std::string& path);

// The one writer of a log. Not thread-safe.
class RecordLog {
 public:
  struct Opened;
  // Opens the log, or makes one. A damaged end is cut off and kept in
  // PATH.dropped. FailedPrecondition, and nothing is touched, if the log has
  // another header than `header`, has none, or is of a newer format, or if
  // somebody else is writing it.
  static absl::StatusOr<Opened> Open(const std::string& path,
                                     const LogHeader& header);

  // The record is on disk on return.
  absl::Status Append(const MeasureRecord& record);

  const std::string& path() const { return writer_.path(); }

 private:
  explicit RecordLog(RecordFileWriter writer) : writer_(std::move(writer)) {}

  RecordFileWriter writer_;
};

struct RecordLog::Opened {
  RecordLog log;
  LogContents contents;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_RECORD_LOG_H_
