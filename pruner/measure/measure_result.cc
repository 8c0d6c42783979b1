#include "pruner/measure/measure_result.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/median.h"

namespace pruner {

absl::string_view FailureKindName(FailureKind kind) {
  switch (kind) {
    case FailureKind::kCompileError:
      return "compile_error";
    case FailureKind::kCompileTimeout:
      return "compile_timeout";
    case FailureKind::kRunError:
      return "run_error";
    case FailureKind::kRunTimeout:
      return "run_timeout";
    case FailureKind::kCrash:
      return "crash";
    case FailureKind::kOutOfMemory:
      return "out_of_memory";
    case FailureKind::kWrongResult:
      return "wrong_result";
    case FailureKind::kLowering:
      return "lowering";
    case FailureKind::kLoad:
      return "load";
    case FailureKind::kOutOfBounds:
      return "out_of_bounds";
    case FailureKind::kNotANumber:
      return "not_a_number";
    case FailureKind::kDevice:
      return "device";
    case FailureKind::kProtocol:
      return "protocol";
    case FailureKind::kLostWorker:
      return "lost_worker";
  }
  return "";
}

MeasureResult FailedResult(FailureKind kind, std::string message) {
  MeasureResult result;
  result.failure = Failure{.kind = kind, .message = std::move(message)};
  return result;
}

double Cost(const MeasureResult& result) {
  CHECK(result.ok() && !result.seconds.empty());
  return Median(result.seconds);
}

double MeanSeconds(const MeasureResult& result) {
  const double limit = 2 * Cost(result);
  double sum = 0, count = 0;
  for (const double seconds : result.seconds) {
    if (seconds > limit) continue;
    sum += seconds;
    ++count;
  }
  return sum / count;
}

double TrialSeconds(const MeasureResult& result, int workers) {
  return std::accumulate(result.seconds.begin(), result.seconds.end(),
                         result.compile_seconds / workers);
}

proto::MeasureResult ToProto(const MeasureResult& result) {
  proto::MeasureResult message;
  message.mutable_seconds()->Add(result.seconds.begin(), result.seconds.end());
  if (result.failure) {
    message.mutable_failure()->set_kind(static_cast<int>(result.failure->kind));
    message.mutable_failure()->set_message(result.failure->message);
  }
  message.set_compile_seconds(result.compile_seconds);
  message.set_max_error(result.max_error);
  return message;
}

absl::StatusOr<MeasureResult> FromProto(const proto::MeasureResult& message) {
  MeasureResult result;
  result.seconds.assign(message.seconds().begin(), message.seconds().end());
  result.compile_seconds = message.compile_seconds();
  result.max_error = message.max_error();
  if (message.has_failure()) {
    const auto kind = static_cast<FailureKind>(message.failure().kind());
    if (FailureKindName(kind).empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a failure of no known kind: ", message.failure().kind()));
    }
    result.failure =
        Failure{.kind = kind, .message = message.failure().message()};
  }
  if (result.ok() == result.seconds.empty()) {
    return absl::InvalidArgumentError(
        "a result has either samples or a failure");
  }
  for (double seconds : result.seconds) {
    if (!(seconds >= kShortestSeconds) || !std::isfinite(seconds)) {
      return absl::InvalidArgumentError(
          absl::StrCat("a sample is ", seconds, " seconds"));
    }
  }
  return result;
}

}  // namespace pruner
