#include "pruner/record/record_log.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/version.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/log_decoder.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/run_info.h"
#include "pruner/record/utf8_fields.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload_proto.h"

namespace pruner {
namespace {

constexpr absl::string_view kWayOut =
    "choose another --output_dir, or --fresh to start a new log";

// Whether we may add to the log.
absl::Status CheckIsOurs(const std::string& path, const DecodedLog& log) {
  if (log.contents.legacy) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " is a record log of format 1, which is only read; tuning the network "
        "it is of, on its target, makes it one of format ",
        kLogFormat, "; or ", kWayOut));
  }
  if (log.keys.ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(path, " cannot be added to: ", log.keys.message(), "; ",
                   "use the program that made it, or ", kWayOut));
}

}  // namespace

absl::Status RecordLog::Check(const std::string& path) {
  if (!FileExists(path)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const RecordFileContents file, ReadRecordFile(path));
  ASSIGN_OR_RETURN(const DecodedLog log, DecodeLog(path, file));
  return CheckIsOurs(path, log);
}

absl::StatusOr<RecordLog::Opened> RecordLog::Open(const std::string& path) {
  // Opening for writing mends the file; this looks first whether it is ours.
  RETURN_IF_ERROR(Check(path));
  ASSIGN_OR_RETURN(RecordFileWriter::Opened file, RecordFileWriter::Open(path));
  ASSIGN_OR_RETURN(DecodedLog found, DecodeLog(path, file.contents));
  RETURN_IF_ERROR(CheckIsOurs(path, found));
  RecordLog log(std::move(file.writer));
  if (!found.has_format) {
    proto::LogEntry entry;
    entry.mutable_format()->set_version(kLogFormat);
    entry.mutable_format()->set_program(kProgramVersion);
    RETURN_IF_ERROR(log.Write(std::move(entry)));
  }
  log.Note(found.contents);
  return Opened{std::move(log), std::move(found.contents)};
}

void RecordLog::Note(const LogContents& contents) {
  for (const auto& [key, target] : contents.targets) targets_.insert(key);
  for (const auto& [key, workload] : contents.workloads) workloads_.insert(key);
  for (const auto& [id, run] : contents.runs)
    next_run_ = std::max(next_run_, id + 1);
  // The entry of a run may be lost, and its number is still taken.
  for (const MeasureRecord& record : contents.records)
    next_run_ = std::max(next_run_, record.run + 1);
}

absl::Status RecordLog::Write(proto::LogEntry entry) {
  MakeStringsValid(entry);
  return writer_.Append(entry.SerializeAsString());
}

absl::StatusOr<int64_t> RecordLog::BeginRun(const RunInfo& info,
                                            const TargetSpec& target) {
  const TargetKey key = TargetKeyOf(target);
  if (!targets_.contains(key)) {
    proto::LogEntry entry;
    entry.mutable_target()->set_key(key.value);
    *entry.mutable_target()->mutable_spec() = TargetSpecToProto(target);
    RETURN_IF_ERROR(Write(std::move(entry)));
    targets_.insert(key);
  }
  const LoggedRun run = {.id = next_run_,
                         .target = key,
                         .info = info,
                         .fp32_gflops = target.peaks.fp32_gflops,
                         .dram_gb_per_s = target.peaks.dram_gb_per_s};
  proto::LogEntry entry;
  *entry.mutable_run() = ToProto(run);
  RETURN_IF_ERROR(Write(std::move(entry)));
  return next_run_++;
}

absl::Status RecordLog::AddWorkload(const Workload& workload) {
  if (workloads_.contains(workload.key)) return absl::OkStatus();
  proto::LogEntry entry;
  *entry.mutable_workload() = ToProto(workload);
  RETURN_IF_ERROR(Write(std::move(entry)));
  workloads_.insert(workload.key);
  return absl::OkStatus();
}

absl::Status RecordLog::Append(const MeasureRecord& record) {
  if (!workloads_.contains(record.workload) ||
      !targets_.contains(record.target)) {
    return absl::InternalError(absl::StrCat(
        "a record of workload ", ToString(record.workload), " on target ",
        ToString(record.target), " for ", path(),
        ", which lacks one of the two; BeginRun and AddWorkload come first"));
  }
  proto::LogEntry entry;
  *entry.mutable_measurement() = ToProto(record);
  return Write(std::move(entry));
}

}  // namespace pruner
