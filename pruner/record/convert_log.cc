#include "pruner/record/convert_log.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/log_decoder.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/record/run_info.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

constexpr absl::string_view kWayOut =
    "choose another --output_dir, or --fresh to start a new log";

// What format 1 said of all its runs.
RunInfo RunOf(const LegacyLog& log) {
  RunInfo info = {.program = "unknown"};
  if (!log.records.empty()) {
    info.seed = log.records[0].seed;
    info.time = log.records[0].time;
  }
  if (log.header) {
    info.options = {{"model", log.header->model},
                    {"batch", absl::StrCat(log.header->batch)}};
  }
  return info;
}

// The bytes of a log with this run.
absl::StatusOr<std::string> MakeLog(const RunInfo& info,
                                    std::vector<MeasureRecord> records,
                                    absl::Span<const Workload> workloads,
                                    const TargetSpec& target) {
  ASSIGN_OR_RETURN(const TempDirectory scratch, TempDirectory::Create());
  const std::string path = scratch.File("log");
  ASSIGN_OR_RETURN(RecordLog::Opened opened, RecordLog::Open(path));
  ASSIGN_OR_RETURN(const int64_t run, opened.log.BeginRun(info, target));
  for (const Workload& workload : workloads)
    RETURN_IF_ERROR(opened.log.AddWorkload(workload));
  for (MeasureRecord& record : records) {
    record.run = run;
    RETURN_IF_ERROR(opened.log.Append(record));
  }
  return ReadFile(path);
}

// A name for the old log that is not taken yet.
std::string NameForOld(const std::string& path) {
  std::string name = absl::StrCat(path, ".format1");
  for (int i = 2; FileExists(name); ++i)
    name = absl::StrCat(path, ".format1.", i);
  return name;
}

absl::Status NothingToConvert(const std::string& path, const LegacyLog& log) {
  return absl::FailedPreconditionError(absl::StrCat(
      path, " is a record log of format 1",
      log.header ? absl::StrCat(" of model '", log.header->model, "', batch ",
                                log.header->batch)
                 : "",
      ", none of whose records is of this network: tune that network, or ",
      kWayOut));
}

absl::Status BehindALink(const std::string& path) {
  return absl::FailedPreconditionError(absl::StrCat(
      path,
      " is a symbolic link to a record log of format 1, which would have to be "
      "replaced: move the log itself here, or choose another --output_dir"));
}

// What a log of format 1 becomes.
struct Conversion {
  RecordFileContents file;
  LegacyLog old;
  std::vector<MeasureRecord> records;
  std::vector<std::string> notes;
};

// Nothing where there is no log of format 1.
absl::StatusOr<std::optional<Conversion>> PlanConversion(
    const std::string& path, absl::Span<const Workload> workloads,
    const TargetSpec& target) {
  absl::StatusOr<RecordFileContents> file = ReadRecordFile(path);
  if (!file.ok()) return std::nullopt;
  ASSIGN_OR_RETURN(DecodedLog log, DecodeLog(path, *file));
  if (!log.contents.legacy) return std::nullopt;
  if (!IsRecordFile(path)) return BehindALink(path);
  Conversion plan = {.file = *std::move(file),
                     .old = *std::move(log.contents.legacy),
                     .records = {},
                     .notes = std::move(log.contents.notes)};
  ASSIGN_OR_RETURN(plan.records,
                   ConvertLegacy(plan.old, workloads, target, plan.notes),
                   _ << path << " stays as it is; " << kWayOut);
  if (plan.records.empty() && !plan.old.records.empty())
    return NothingToConvert(path, plan.old);
  return plan;
}

}  // namespace

absl::Status CheckRecordLog(const std::string& path,
                            absl::Span<const Workload> workloads,
                            const TargetSpec& target) {
  ASSIGN_OR_RETURN(const std::optional<Conversion> plan,
                   PlanConversion(path, workloads, target));
  return plan ? absl::OkStatus() : RecordLog::Check(path);
}

absl::StatusOr<std::vector<std::string>> ConvertLogFile(
    const std::string& path, absl::Span<const Workload> workloads,
    const TargetSpec& target) {
  ASSIGN_OR_RETURN(std::optional<Conversion> plan,
                   PlanConversion(path, workloads, target));
  if (!plan) return std::vector<std::string>();

  // Keeps others from writing it meanwhile.
  ASSIGN_OR_RETURN(const RecordFileWriter::Opened locked,
                   RecordFileWriter::Open(path));
  if (locked.contents.records != plan->file.records) {
    return absl::FailedPreconditionError(
        absl::StrCat("somebody has just written to ", path, "; try again"));
  }
  ASSIGN_OR_RETURN(const std::string old, ReadFile(path));
  ASSIGN_OR_RETURN(
      const std::string made,
      MakeLog(RunOf(plan->old), std::move(plan->records), workloads, target));
  const std::string kept = NameForOld(path);
  RETURN_IF_ERROR(WriteFileAtomically(kept, old));
  RETURN_IF_ERROR(WriteFileAtomically(path, made));
  plan->notes.push_back(absl::StrCat(path,
                                     " was a record log of format 1 and is now "
                                     "one of format ",
                                     kLogFormat, "; the old one is ", kept));
  return std::move(plan->notes);
}

}  // namespace pruner
