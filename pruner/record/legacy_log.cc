#include "pruner/record/legacy_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

// The keys of workloads by their old hashes; none where several have the same.
using KeysByHash = std::map<uint64_t, std::optional<WorkloadKey>>;

KeysByHash KeysOf(absl::Span<const Workload> workloads) {
  KeysByHash keys;
  for (const Workload& workload : workloads) {
    const auto [entry, is_new] =
        keys.emplace(LegacyWorkloadHash(workload.dag), workload.key);
    if (!is_new && entry->second != workload.key) entry->second.reset();
  }
  return keys;
}

absl::Status CheckTarget(const LegacyLog& log, const TargetSpec& target,
                         std::vector<std::string>& notes) {
  if (!log.header) {
    notes.push_back(absl::StrCat(
        "the header of the log of format 1 is lost: its records are taken to "
        "be of ",
        target.name));
    return absl::OkStatus();
  }
  if (log.header->target_fingerprint == LegacyTargetFingerprint(target))
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the log of format 1 holds records of target '",
                   log.header->target, "', which is not '", target.name,
                   "' as it is now: their times do not compare"));
}

}  // namespace

LegacyHeader FromProto(const proto::LogHeader& message) {
  return {.model = message.model(),
          .target = message.target(),
          .target_fingerprint = message.target_fingerprint(),
          .batch = message.batch()};
}

absl::StatusOr<LegacyRecord> FromProto(const proto::MeasureRecord& message) {
  // What both formats have is read, and checked, in one place.
  proto::Measurement common;
  *common.mutable_schedule() = message.schedule();
  *common.mutable_result() = message.result();
  common.set_trial(message.trial());
  common.set_unix_nanos(message.unix_nanos());
  ASSIGN_OR_RETURN(MeasureRecord record, FromProto(common));
  return LegacyRecord{.workload_hash = message.workload_hash(),
                      .workload_name = message.workload_name(),
                      .schedule = std::move(record.schedule),
                      .result = std::move(record.result),
                      .seed = message.seed(),
                      .trial = record.trial,
                      .time = record.time};
}

absl::StatusOr<std::vector<MeasureRecord>> ConvertLegacy(
    const LegacyLog& log, absl::Span<const Workload> workloads,
    const TargetSpec& target, std::vector<std::string>& notes) {
  RETURN_IF_ERROR(CheckTarget(log, target, notes));
  const KeysByHash keys = KeysOf(workloads);
  std::vector<MeasureRecord> records;
  int64_t unknown = 0, ambiguous = 0;
  for (const LegacyRecord& old : log.records) {
    const auto key = keys.find(old.workload_hash);
    if (key == keys.end()) {
      ++unknown;
    } else if (!key->second) {
      ++ambiguous;
    } else {
      records.push_back({.workload = *key->second,
                         .target = TargetKeyOf(target),
                         .schedule = old.schedule,
                         .result = old.result,
                         .trial = old.trial,
                         .time = old.time});
    }
  }
  if (unknown + ambiguous > 0) {
    notes.push_back(absl::StrCat(
        unknown + ambiguous, " of the ", log.records.size(),
        " records of the log of format 1 are left out: ", unknown,
        " are of no workload that this version makes of the network, ",
        ambiguous, " of one of several that format 1 did not tell apart"));
  }
  return records;
}

}  // namespace pruner
