#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/util/json_util.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/utf8.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_line.pb.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

// Beyond 2^53 doubles cannot count.
absl::StatusOr<int64_t> ToCount(double value) {
  if (value >= 0 && value <= 0x1p53) return static_cast<int64_t>(value);
  return absl::InvalidArgumentError(absl::StrCat(value, " is no count"));
}

absl::StatusOr<Failure> ParseFailure(const proto::RecordLine::Failure& line) {
  for (const FailureKind kind : kAllFailureKinds) {
    if (FailureKindName(kind) == line.kind())
      return Failure{.kind = kind, .message = line.message()};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no kind of failure '", line.kind(), "'"));
}

absl::StatusOr<MeasureRecord> FromLine(const proto::RecordLine& line) {
  MeasureRecord record;
  ASSIGN_OR_RETURN(record.workload, ParseWorkloadKey(line.workload()));
  ASSIGN_OR_RETURN(record.target, ParseTargetKey(line.target()));
  record.measure_policy = line.measure_policy();
  ASSIGN_OR_RETURN(record.run, ToCount(line.run()));
  ASSIGN_OR_RETURN(record.trial, ToCount(line.trial()));
  ASSIGN_OR_RETURN(record.schedule, ParseSchedule(line.schedule()));
  record.genes = line.genes();
  record.race = line.race();
  MeasureResult result;
  result.seconds.assign(line.seconds().begin(), line.seconds().end());
  if (line.has_failure()) {
    ASSIGN_OR_RETURN(result.failure, ParseFailure(line.failure()));
  }
  result.compile_seconds = line.compile_seconds();
  result.max_error = line.max_error();
  // What no log may hold is refused here, too.
  ASSIGN_OR_RETURN(record.result, FromProto(ToProto(result)));
  std::string why;
  if (!absl::ParseTime(absl::RFC3339_full, line.time(), &record.time, &why)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", line.time(), "' is no time: ", why));
  }
  return record;
}

}  // namespace

std::string PrintRecord(const MeasureRecord& record, absl::string_view name) {
  const MeasureResult& result = record.result;
  proto::RecordLine line;
  line.set_trial(static_cast<double>(record.trial));
  line.set_run(static_cast<double>(record.run));
  line.set_time(
      absl::FormatTime(absl::RFC3339_full, record.time, absl::UTCTimeZone()));
  line.set_name(ValidUtf8(name));
  line.set_workload(ToString(record.workload));
  line.set_target(ToString(record.target));
  line.set_measure_policy(ValidUtf8(record.measure_policy));
  line.mutable_seconds()->Add(result.seconds.begin(), result.seconds.end());
  if (result.failure) {
    line.mutable_failure()->set_kind(FailureKindName(result.failure->kind));
    line.mutable_failure()->set_message(ValidUtf8(result.failure->message));
  }
  line.set_compile_seconds(result.compile_seconds);
  line.set_max_error(result.max_error);
  line.set_schedule(PrintSchedule(record.schedule));
  if (!record.genes.empty()) line.set_genes(ValidUtf8(record.genes));
  line.set_race(record.race);
  return ToJson(line);
}

absl::StatusOr<MeasureRecord> ParseRecord(absl::string_view text) {
  proto::RecordLine line;
  RETURN_IF_ERROR(google::protobuf::util::JsonStringToMessage(text, &line))
      << "in a record as JSON";
  return FromLine(line);
}

}  // namespace pruner
