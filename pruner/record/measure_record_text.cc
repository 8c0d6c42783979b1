#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using Fields = std::map<absl::string_view, absl::string_view>;

// The shortest text that reads back as the same number.
std::string Print(double value) {
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

std::string PrintTime(absl::Time time) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*SZ", time, absl::UTCTimeZone());
}

std::string PrintSteps(const Schedule& schedule) {
  return absl::StrJoin(schedule.steps, "; ",
                       [](std::string* out, const TransformStep& step) {
                         out->append(PrintStep(step));
                       });
}

bool Parse(absl::string_view text, int64_t& value) {
  return absl::SimpleAtoi(text, &value);
}
bool Parse(absl::string_view text, uint64_t& value) {
  return absl::SimpleAtoi(text, &value);
}
bool Parse(absl::string_view text, double& value) {
  return absl::SimpleAtod(text, &value);
}
bool Parse(absl::string_view text, std::string& value) {
  return absl::CUnescape(text, &value);
}
bool Parse(absl::string_view text, absl::Time& value) {
  return absl::ParseTime(absl::RFC3339_full, text, &value, nullptr);
}
bool Parse(absl::string_view text, std::vector<double>& values) {
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    if (!Parse(item, values.emplace_back())) return false;
  }
  return true;
}
bool Parse(absl::string_view text, Failure& failure) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(": ", 1));
  for (const FailureKind kind : kAllFailureKinds) {
    if (FailureKindName(kind) != parts.first) continue;
    failure.kind = kind;
    return Parse(parts.second, failure.message);
  }
  return false;
}

struct Hex {
  uint64_t& value;
};
bool Parse(absl::string_view text, Hex hex) {
  return absl::SimpleHexAtoi(text, &hex.value);
}

template <typename Value>
absl::Status Read(absl::string_view name, Fields& fields, Value&& value) {
  const auto field = fields.find(name);
  if (field == fields.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the record lacks the field ", name));
  }
  if (!Parse(field->second, value)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the record's field ", name, " has the value '", field->second, "'"));
  }
  fields.erase(field);
  return absl::OkStatus();
}

absl::StatusOr<Schedule> ReadSteps(Fields& fields) {
  const auto field = fields.find("schedule");
  if (field == fields.end()) {
    return absl::InvalidArgumentError("the record lacks the field schedule");
  }
  const std::string lines = absl::StrReplaceAll(field->second, {{"; ", "\n"}});
  fields.erase(field);
  return ParseSchedule(lines);
}

absl::StatusOr<Fields> SplitFields(absl::string_view line) {
  Fields fields;
  for (const absl::string_view field : absl::StrSplit(line, '\t')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(field, absl::MaxSplits('=', 1));
    if (!fields.insert(parts).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("the record has the field ", parts.first, " twice"));
    }
  }
  return fields;
}

}  // namespace

std::string PrintRecord(const MeasureRecord& record) {
  const MeasureResult& result = record.result;
  const std::string outcome =
      result.failure
          ? absl::StrCat("failure=", FailureKindName(result.failure->kind),
                         ": ", absl::CEscape(result.failure->message))
          : absl::StrCat("seconds=",
                         absl::StrJoin(result.seconds, ",",
                                       [](std::string* out, double seconds) {
                                         out->append(Print(seconds));
                                       }));
  return absl::StrJoin(
      {absl::StrCat("trial=", record.trial),
       absl::StrFormat("workload=%016x", record.workload_hash),
       absl::StrCat("name=", absl::CEscape(record.workload_name)),
       absl::StrCat("seed=", record.seed),
       absl::StrCat("time=", PrintTime(record.time)), outcome,
       absl::StrCat("compile_seconds=", Print(result.compile_seconds)),
       absl::StrCat("max_error=", Print(result.max_error)),
       absl::StrCat("schedule=", PrintSteps(record.schedule))},
      "\t");
}

absl::StatusOr<MeasureRecord> ParseRecord(absl::string_view line) {
  ASSIGN_OR_RETURN(Fields fields, SplitFields(line));
  MeasureRecord record;
  MeasureResult& result = record.result;
  RETURN_IF_ERROR(Read("trial", fields, record.trial));
  RETURN_IF_ERROR(Read("workload", fields, Hex{record.workload_hash}));
  RETURN_IF_ERROR(Read("name", fields, record.workload_name));
  RETURN_IF_ERROR(Read("seed", fields, record.seed));
  RETURN_IF_ERROR(Read("time", fields, record.time));
  if (fields.contains("failure")) {
    RETURN_IF_ERROR(Read("failure", fields, result.failure.emplace()));
  } else {
    RETURN_IF_ERROR(Read("seconds", fields, result.seconds));
  }
  RETURN_IF_ERROR(Read("compile_seconds", fields, result.compile_seconds));
  RETURN_IF_ERROR(Read("max_error", fields, result.max_error));
  ASSIGN_OR_RETURN(record.schedule, ReadSteps(fields));
  if (!fields.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the record has the unknown field ", fields.begin()->first));
  }
  return record;
}

}  // namespace pruner
