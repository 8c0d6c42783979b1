#include "pruner/record/log_decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/utf8.h"
#include "pruner/base/version.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/run_info.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload_proto.h"

namespace pruner {
namespace {

constexpr int kLegacyFormat = 1;

// Takes the frames of a log one by one. Each Add… returns an error for an entry
// that cannot be read.
class Decoder {
 public:
  explicit Decoder(absl::string_view path) : path_(path) {}

  // Error: a newer format, and there is no use in going on.
  absl::Status Add(absl::string_view frame);
  DecodedLog Finish(const RecordFileContents& file);
  // Whether some entry was of a kind that logs have.
  bool KnowsAny() const { return knows_any_; }

 private:
  absl::Status AddEntry(const proto::LogEntry& entry);
  absl::Status AddTarget(const proto::LoggedTarget& message);
  absl::Status AddWorkload(const proto::Workload& message);
  absl::Status AddRun(const proto::Run& message);
  absl::Status AddRecord(const proto::Measurement& message);
  absl::Status AddLegacyRecord(const proto::MeasureRecord& message);

  // False, and it is counted, if such a record came before. Records of other
  // logs, which may have been appended to this one, are numbered alike, but
  // were not measured in the same nanosecond.
  bool IsNew(int64_t run, int64_t trial, absl::Time time);
  absl::Status CheckFormat(int version, int known,
                           absl::string_view program) const;
  LegacyLog& Legacy();
  std::string DamageNote(const RecordFileContents& file) const;
  std::string UnreadableNote(size_t entries) const;
  std::string RepeatedNote() const;
  void NoteWhatIsMissing();

  const absl::string_view path_;
  DecodedLog log_;
  std::string first_unreadable_;                                // why
  std::set<std::tuple<int64_t, int64_t, absl::Time>> records_;  // of IsNew
  int64_t repeated_ = 0;
  bool knows_any_ = false;
};

absl::Status Decoder::CheckFormat(int version, int known,
                                  absl::string_view program) const {
  if (version == known) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      path_, " is a record log of format ", version,
      program.empty() ? "" : absl::StrCat(", made by ", OneLine(program)),
      ", and this program, ", kProgramVersion, ", reads formats up to ",
      kLogFormat,
      "; use the program that made it, or choose another --output_dir, or "
      "--fresh to start a new log"));
}

absl::Status Decoder::Add(absl::string_view frame) {
  proto::LogEntry entry;
  absl::Status added = absl::InvalidArgumentError("it is no entry of a log");
  if (entry.ParseFromString(frame)) {
    if (entry.kind_case() != proto::LogEntry::KIND_NOT_SET) knows_any_ = true;
    if (entry.has_format()) {
      log_.has_format = true;
      return CheckFormat(entry.format().version(), kLogFormat,
                         entry.format().program());
    }
    if (entry.has_header()) {
      Legacy().header = FromProto(entry.header());
      return CheckFormat(entry.header().format_version(), kLegacyFormat, "");
    }
    added = AddEntry(entry);
  }
  if (!added.ok() && ++log_.contents.unreadable == 1)
    first_unreadable_ = added.message();
  return absl::OkStatus();
}

absl::Status Decoder::AddEntry(const proto::LogEntry& entry) {
  switch (entry.kind_case()) {
    case proto::LogEntry::kTarget:
      return AddTarget(entry.target());
    case proto::LogEntry::kWorkload:
      return AddWorkload(entry.workload());
    case proto::LogEntry::kRun:
      return AddRun(entry.run());
    case proto::LogEntry::kMeasurement:
      return AddRecord(entry.measurement());
    case proto::LogEntry::kRecord:
      return AddLegacyRecord(entry.record());
    case proto::LogEntry::kHeader:
    case proto::LogEntry::kFormat:
    case proto::LogEntry::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("it is of no known kind");
}

absl::Status Decoder::AddTarget(const proto::LoggedTarget& message) {
  ASSIGN_OR_RETURN(TargetSpec target,
                   TargetSpecFromProto(message.spec(), path_));
  const TargetKey key = {message.key()};
  if (TargetKeyOf(target) != key) {
    log_.keys = absl::FailedPreconditionError(absl::StrCat(
        "target '", OneLine(target.name), "' does not match its key ",
        ToString(key),
        ": it is damaged, or was made by another version of this program"));
    return log_.keys;
  }
  log_.contents.targets.emplace(key, std::move(target));
  return absl::OkStatus();
}

absl::Status Decoder::AddWorkload(const proto::Workload& message) {
  absl::StatusOr<Workload> workload = FromProto(message);
  if (absl::IsFailedPrecondition(workload.status()))
    log_.keys = workload.status();
  RETURN_IF_ERROR(workload.status());
  const WorkloadKey key = workload->key;
  log_.contents.workloads.emplace(key, *std::move(workload));
  return absl::OkStatus();
}

absl::Status Decoder::AddRun(const proto::Run& message) {
  ASSIGN_OR_RETURN(LoggedRun run, FromProto(message));
  log_.contents.runs.emplace(run.id, std::move(run));
  return absl::OkStatus();
}

absl::Status Decoder::AddRecord(const proto::Measurement& message) {
  ASSIGN_OR_RETURN(MeasureRecord record, FromProto(message));
  if (IsNew(record.run, record.trial, record.time))
    log_.contents.records.push_back(std::move(record));
  return absl::OkStatus();
}

absl::Status Decoder::AddLegacyRecord(const proto::MeasureRecord& message) {
  LegacyLog& legacy = Legacy();  // also of one that cannot be read
  ASSIGN_OR_RETURN(LegacyRecord record, FromProto(message));
  if (IsNew(0, record.trial, record.time))
    legacy.records.push_back(std::move(record));
  return absl::OkStatus();
}

bool Decoder::IsNew(int64_t run, int64_t trial, absl::Time time) {
  const bool is_new = records_.emplace(run, trial, time).second;
  if (!is_new) ++repeated_;
  return is_new;
}

LegacyLog& Decoder::Legacy() {
  std::optional<LegacyLog>& legacy = log_.contents.legacy;
  return legacy ? *legacy : legacy.emplace();
}

std::string Decoder::DamageNote(const RecordFileContents& file) const {
  constexpr size_t kShown = 3;
  const size_t parts = file.dropped.size();
  std::string note = absl::StrCat(
      path_, " is damaged: ",
      absl::StrJoin(
          absl::MakeConstSpan(file.dropped).first(std::min(kShown, parts)),
          "; "));
  if (parts > kShown)
    absl::StrAppend(&note, "; and ", parts - kShown, " more parts");
  const std::string kept = absl::StrCat(path_, ".dropped");
  if (FileExists(kept))
    absl::StrAppend(&note, "; damaged ends are kept in ", kept);
  return note;
}

std::string Decoder::UnreadableNote(size_t entries) const {
  return absl::StrCat(log_.contents.unreadable, " of the ", entries,
                      " entries of ", path_,
                      " cannot be read by this version and are skipped, but "
                      "kept; the first because ",
                      first_unreadable_);
}

std::string Decoder::RepeatedNote() const {
  return absl::StrCat(repeated_, " of the records in ", path_,
                      " are there again, as after a log was appended to "
                      "itself, and are skipped, but kept");
}

void Decoder::NoteWhatIsMissing() {
  LogContents& contents = log_.contents;
  const int64_t nameless =
      std::count_if(contents.records.begin(), contents.records.end(),
                    [&](const MeasureRecord& record) {
                      return !contents.workloads.contains(record.workload) ||
                             !contents.targets.contains(record.target);
                    });
  if (nameless > 0) {
    contents.notes.push_back(absl::StrCat(
        nameless, " of the ", contents.records.size(), " records of ", path_,
        " are of a workload or a target whose own entry is lost: they count "
        "when it is tuned again, and have no name until then"));
  }
  if (contents.legacy && !contents.legacy->header) {
    contents.notes.push_back(absl::StrCat(
        path_,
        " has lost its header, which said for which network and target its ",
        contents.legacy->records.size(), " records were measured"));
  }
}

DecodedLog Decoder::Finish(const RecordFileContents& file) {
  if (!file.dropped.empty()) log_.contents.notes.push_back(DamageNote(file));
  if (log_.contents.unreadable > 0)
    log_.contents.notes.push_back(UnreadableNote(file.records.size()));
  if (repeated_ > 0) log_.contents.notes.push_back(RepeatedNote());
  NoteWhatIsMissing();
  return std::move(log_);
}

}  // namespace

absl::StatusOr<DecodedLog> DecodeLog(absl::string_view path,
                                     const RecordFileContents& file) {
  Decoder decoder(path);
  for (const std::string& frame : file.records)
    RETURN_IF_ERROR(decoder.Add(frame));
  if (!file.records.empty() && !decoder.KnowsAny()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path,
                     " is a record file, but none of its entries is one of a "
                     "record log; move it away or choose another name"));
  }
  return decoder.Finish(file);
}

}  // namespace pruner
