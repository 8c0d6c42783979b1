#include "pruner/record/record_log.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

constexpr int kFormatVersion = 1;
constexpr absl::string_view kWayOut =
    "choose another --output_dir, or --fresh to start a new log";

std::string Describe(const LogHeader& header) {
  return absl::StrFormat("model '%s', target '%s' (%016x) and batch %d",
                         header.model, header.target, header.target_fingerprint,
                         header.batch);
}

std::string EncodeHeader(const LogHeader& header) {
  proto::LogEntry entry;
  proto::LogHeader& message = *entry.mutable_header();
  message.set_format_version(kFormatVersion);
  message.set_model(header.model);
  message.set_target(header.target);
  message.set_target_fingerprint(header.target_fingerprint);
  message.set_batch(header.batch);
  return entry.SerializeAsString();
}

absl::StatusOr<LogHeader> DecodeHeader(absl::string_view bytes,
                                       absl::string_view path) {
  proto::LogEntry entry;
  if (!entry.ParseFromString(bytes) || !entry.has_header()) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " does not begin with the header of a record log, so it is unknown "
        "what its records were measured for; ",
        kWayOut));
  }
  const proto::LogHeader& message = entry.header();
  if (message.format_version() != kFormatVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " is a record log of format ", message.format_version(),
        ", and this program reads ", kFormatVersion,
        "; use the program that wrote it, ", "or ", kWayOut));
  }
  return LogHeader{.model = message.model(),
                   .target = message.target(),
                   .target_fingerprint = message.target_fingerprint(),
                   .batch = message.batch()};
}

absl::StatusOr<MeasureRecord> DecodeRecord(absl::string_view bytes) {
  proto::LogEntry entry;
  if (!entry.ParseFromString(bytes)) {
    return absl::InvalidArgumentError("it is no entry of a record log");
  }
  if (!entry.has_record()) {
    return absl::InvalidArgumentError("it is of no known kind");
  }
  return FromProto(entry.record());
}

std::string DamageNote(absl::string_view path, const RecordFileContents& file) {
  const std::string kept = absl::StrCat(path, ".dropped");
  return absl::StrCat(
      path, " is damaged: ",
      absl::StrJoin(file.dropped, "; ",
                    [](std::string* out, const DroppedBytes& dropped) {
                      absl::StrAppend(out, dropped);
                    }),
      FileExists(kept) ? absl::StrCat("; damaged ends are kept in ", kept)
                       : "");
}

absl::StatusOr<LogContents> Decode(const std::string& path,
                                   const RecordFileContents& file) {
  LogContents contents;
  ASSIGN_OR_RETURN(contents.header, DecodeHeader(file.records.front(), path));
  std::string why;
  for (size_t i = 1; i < file.records.size(); ++i) {
    absl::StatusOr<MeasureRecord> record = DecodeRecord(file.records[i]);
    if (record.ok()) {
      contents.records.push_back(*std::move(record));
      continue;
    }
    if (++contents.unreadable == 1) why = record.status().message();
  }
  if (!file.dropped.empty()) contents.notes.push_back(DamageNote(path, file));
  if (contents.unreadable > 0) {
    contents.notes.push_back(absl::StrCat(
        contents.unreadable, " of the ", file.records.size() - 1,
        " records in ", path,
        " cannot be read by this version and are skipped, but kept; the first "
        "because ",
        why));
  }
  return contents;
}

absl::Status CheckHeader(const std::string& path, const LogHeader& found,
                         const LogHeader& wanted) {
  if (found == wanted) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(path, " holds records of ", Describe(found),
                   ", and this run is for ", Describe(wanted), "; ", kWayOut));
}

// Opening for writing mends the file; this looks first whether it is ours.
absl::Status CheckBeforeOpening(const std::string& path,
                                const LogHeader& header) {
  if (!FileExists(path)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const RecordFileContents file, ReadRecordFile(path));
  if (file.records.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const LogHeader found,
                   DecodeHeader(file.records.front(), path));
  return CheckHeader(path, found, header);
}

}  // namespace

uint64_t TargetFingerprint(const TargetSpec& target) {
  TargetSpec lasting = target;
  lasting.peaks = {};
  lasting.units.fma_pipes = 0;
  for (MemoryLevel* level : {&lasting.l1, &lasting.l2, &lasting.llc}) {
    level->gb_per_s = 0;
  }
  return Fingerprint(TargetSpecToText(lasting));
}

LogHeader MakeLogHeader(absl::string_view model, const TargetSpec& target,
                        int64_t batch) {
  return {.model = std::string(model),
          .target = target.name,
          .target_fingerprint = TargetFingerprint(target),
          .batch = batch};
}

absl::StatusOr<LogContents> ReadRecordLog(const std::string& path) {
  ASSIGN_OR_RETURN(const RecordFileContents file, ReadRecordFile(path));
  if (file.records.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is empty: no tuning run has got to its records"));
  }
  return Decode(path, file);
}

absl::StatusOr<RecordLog::Opened> RecordLog::Open(const std::string& path,
                                                  const LogHeader& header) {
  RETURN_IF_ERROR(CheckBeforeOpening(path, header));
  ASSIGN_OR_RETURN(RecordFileWriter::Opened file, RecordFileWriter::Open(path));
  RecordFileContents& found = file.contents;
  if (found.records.empty()) {
    const std::string first = EncodeHeader(header);
    RETURN_IF_ERROR(file.writer.Append(first));
    found.records.push_back(first);
  }
  ASSIGN_OR_RETURN(LogContents contents, Decode(path, found));
  RETURN_IF_ERROR(CheckHeader(path, contents.header, header));
  return Opened{RecordLog(std::move(file.writer)), std::move(contents)};
}

absl::Status RecordLog::Append(const MeasureRecord& record) {
  proto::LogEntry entry;
  *entry.mutable_record() = ToProto(record);
  return writer_.Append(entry.SerializeAsString());
}

}  // namespace pruner
