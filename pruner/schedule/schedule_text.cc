#include "pruner/schedule/schedule_text.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// By enumerator value.
constexpr const char* kAnnotations[] = {
    "none", "parallel", "vectorize", "unroll", "block", "vthread", "thread"};
constexpr const char* kTails[] = {"guard", "round_up", "shift_inwards"};
constexpr const char* kStorages[] = {"default", "register", "shared", "stack",
                                     "heap"};
constexpr const char* kParts[] = {"outer", "inner"};

absl::Span<const char* const> Names(Annotation) { return kAnnotations; }
absl::Span<const char* const> Names(Tail) { return kTails; }
absl::Span<const char* const> Names(Storage) { return kStorages; }
absl::Span<const char* const> Names(RfactorPart) { return kParts; }

std::string Print(int64_t value) { return absl::StrCat(value); }
std::string Print(const std::vector<int64_t>& values) {
  return absl::StrJoin(values, ",");
}
template <typename Enum>
  requires std::is_enum_v<Enum>
std::string Print(Enum value) {
  return Names(value)[static_cast<int>(value)];
}

bool Parse(absl::string_view text, int& value) {
  return absl::SimpleAtoi(text, &value);
}
bool Parse(absl::string_view text, int64_t& value) {
  return absl::SimpleAtoi(text, &value);
}
bool Parse(absl::string_view text, std::vector<int64_t>& values) {
  if (text.empty()) return true;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    if (!absl::SimpleAtoi(item, &values.emplace_back())) return false;
  }
  return true;
}
template <typename Enum>
  requires std::is_enum_v<Enum>
bool Parse(absl::string_view text, Enum& value) {
  const absl::Span<const char* const> names = Names(value);
  for (size_t i = 0; i < names.size(); ++i) {
    if (text != names[i]) continue;
    value = static_cast<Enum>(i);
    return true;
  }
  return false;
}

using Fields = std::map<absl::string_view, absl::string_view>;

template <typename Step>
absl::StatusOr<TransformStep> ParseFields(Fields fields) {
  Step step;
  std::string error;
  Step::VisitFields(step, [&](const char* name, auto& value) {
    const auto field = fields.find(name);
    if (field == fields.end()) {
      absl::StrAppend(&error, " lacks ", name, ";");
      return;
    }
    if (!Parse(field->second, value)) {
      absl::StrAppend(&error, " bad value '", field->second, "' of ", name,
                      ";");
    }
    fields.erase(field);
  });
  for (const auto& [name, value] : fields)
    absl::StrAppend(&error, " unknown field ", name, ";");
  if (error.empty()) return step;
  error.pop_back();
  return absl::InvalidArgumentError(absl::StrCat(Step::kName, error));
}

template <typename... Steps>
absl::StatusOr<TransformStep> ParseKind(absl::string_view kind,
                                        const Fields& fields,
                                        const std::variant<Steps...>*) {
  absl::StatusOr<TransformStep> result;
  const bool known =
      ((kind == Steps::kName && (result = ParseFields<Steps>(fields), true)) ||
       ...);
  if (known) return result;
  return absl::InvalidArgumentError(absl::StrCat("unknown step '", kind, "'"));
}

absl::StatusOr<TransformStep> ParseStep(absl::string_view line) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, ' ', absl::SkipEmpty());
  Fields fields;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(words[i], absl::MaxSplits('=', 1));
    if (!fields.insert(field).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("repeated field ", field.first));
    }
  }
  return ParseKind(words[0], fields,
                   static_cast<const TransformStep*>(nullptr));
}

}  // namespace

std::string PrintStep(const TransformStep& step) {
  return std::visit(
      [](const auto& s) {
        std::string text = s.kName;
        s.VisitFields(s, [&](const char* name, const auto& value) {
          absl::StrAppend(&text, " ", name, "=", Print(value));
        });
        return text;
      },
      step);
}

std::string PrintSchedule(const Schedule& schedule) {
  std::string text;
  for (const TransformStep& step : schedule.steps)
    absl::StrAppend(&text, PrintStep(step), "\n");
  return text;
}

absl::StatusOr<Schedule> ParseSchedule(absl::string_view text) {
  Schedule schedule;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    absl::StatusOr<TransformStep> step = ParseStep(line);
    if (!step.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", number, " of the schedule: ", step.status().message()));
    }
    schedule.steps.push_back(*std::move(step));
  }
  return schedule;
}

}  // namespace pruner
