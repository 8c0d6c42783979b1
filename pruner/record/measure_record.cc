#include "pruner/record/measure_record.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/utf8.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {
namespace {

// More than any log holds, and few enough to count on from.
constexpr int64_t kMaxCount = int64_t{1} << 53;

absl::Status CheckCount(const char* what, int64_t count) {
  if (count >= 0 && count <= kMaxCount) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("its ", what, " has the number ", count));
}

}  // namespace

proto::Measurement ToProto(const MeasureRecord& record) {
  proto::Measurement message;
  message.set_workload(record.workload.value);
  message.set_target(record.target.value);
  message.set_run(record.run);
  message.set_measure_policy(record.measure_policy);
  *message.mutable_schedule() = ToProto(record.schedule);
  if (!record.genes.empty()) message.set_genes(record.genes);
  *message.mutable_result() = ToProto(record.result);
  message.set_trial(record.trial);
  message.set_race(record.race);
  message.set_unix_nanos(absl::ToUnixNanos(record.time));
  return message;
}

absl::StatusOr<MeasureRecord> FromProto(const proto::Measurement& message) {
  MeasureRecord record;
  record.workload = {message.workload()};
  record.target = {message.target()};
  record.run = message.run();
  RETURN_IF_ERROR(CheckCount("run", record.run));
  record.measure_policy = message.measure_policy();
  ASSIGN_OR_RETURN(record.schedule, FromProto(message.schedule()));
  record.genes = message.genes();
  ASSIGN_OR_RETURN(record.result, FromProto(message.result()));
  if (record.result.failure) {
    std::string& text = record.result.failure->message;
    text = ValidUtf8(text);
  }
  record.trial = message.trial();
  RETURN_IF_ERROR(CheckCount("trial", record.trial));
  record.race = message.race();
  record.time = absl::FromUnixNanos(message.unix_nanos());
  return record;
}

}  // namespace pruner
