#include "pruner/schedule/schedule_proto.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace pruner {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// The message's fields have the structs' names (a test holds them together), so
// that reflection serves every kind of step alike.
const FieldDescriptor* Field(const Message& message, const char* name) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  CHECK(field != nullptr) << message.GetTypeName() << " lacks " << name;
  return field;
}

class Writer {
 public:
  explicit Writer(Message& message)
      : message_(message), reflection_(*message.GetReflection()) {}

  void operator()(const char* name, int value) {
    reflection_.SetInt32(&message_, Field(message_, name), value);
  }
  void operator()(const char* name, int64_t value) {
    reflection_.SetInt64(&message_, Field(message_, name), value);
  }
  void operator()(const char* name, const std::vector<int64_t>& values) {
    for (int64_t value : values)
      reflection_.AddInt64(&message_, Field(message_, name), value);
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void operator()(const char* name, Enum value) {
    reflection_.SetEnumValue(&message_, Field(message_, name),
                             static_cast<int>(value));
  }

 private:
  Message& message_;
  const google::protobuf::Reflection& reflection_;
};

class Reader {
 public:
  explicit Reader(const Message& message)
      : message_(message), reflection_(*message.GetReflection()) {}

  void operator()(const char* name, int& value) {
    value = reflection_.GetInt32(message_, Field(message_, name));
  }
  void operator()(const char* name, int64_t& value) {
    value = reflection_.GetInt64(message_, Field(message_, name));
  }
  void operator()(const char* name, std::vector<int64_t>& values) {
    const FieldDescriptor* field = Field(message_, name);
    for (int i = 0; i < reflection_.FieldSize(message_, field); ++i) {
      values.push_back(reflection_.GetRepeatedInt64(message_, field, i));
    }
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void operator()(const char* name, Enum& value) {
    const FieldDescriptor* field = Field(message_, name);
    const int number = reflection_.GetEnumValue(message_, field);
    if (field->enum_type()->FindValueByNumber(number) == nullptr) {
      status_ = absl::InvalidArgumentError(
          absl::StrCat("has no known ", name, ": ", number));
    }
    value = static_cast<Enum>(number);
  }

  const absl::Status& status() const { return status_; }

 private:
  absl::Status status_;
  const Message& message_;
  const google::protobuf::Reflection& reflection_;
};

// Reads `message` if it is of the kind `Step`, and says whether it is.
template <typename Step>
bool ReadIfKind(const proto::TransformStep& message,
                absl::StatusOr<TransformStep>& out) {
  const FieldDescriptor* field = Field(message, Step::kName);
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (!reflection.HasField(message, field)) return false;
  Step step;
  Reader reader(reflection.GetMessage(message, field));
  Step::VisitFields(step, reader);
  if (reader.status().ok()) {
    out = std::move(step);
  } else {
    out = reader.status();
  }
  return true;
}

template <typename... Steps>
absl::StatusOr<TransformStep> ReadAnyKind(const proto::TransformStep& message,
                                          const std::variant<Steps...>*) {
  absl::StatusOr<TransformStep> step;
  if ((ReadIfKind<Steps>(message, step) || ...)) return step;
  return absl::InvalidArgumentError("is of no known kind");
}

}  // namespace

proto::Schedule ToProto(const Schedule& schedule) {
  proto::Schedule message;
  for (const TransformStep& step : schedule.steps) {
    proto::TransformStep& out = *message.add_steps();
    std::visit(
        [&](const auto& s) {
          Message* kind =
              out.GetReflection()->MutableMessage(&out, Field(out, s.kName));
          s.VisitFields(s, Writer(*kind));
        },
        step);
  }
  return message;
}

absl::StatusOr<Schedule> FromProto(const proto::Schedule& message) {
  Schedule schedule;
  for (const proto::TransformStep& in : message.steps()) {
    absl::StatusOr<TransformStep> step =
        ReadAnyKind(in, static_cast<const TransformStep*>(nullptr));
    if (!step.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("step ", schedule.steps.size(), " of the schedule ",
                       step.status().message()));
    }
    schedule.steps.push_back(*std::move(step));
  }
  return schedule;
}

}  // namespace pruner
