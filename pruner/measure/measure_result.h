// What timing a candidate yields: samples, or a failure with its reason. Never
// a number that stands for a failure.
#ifndef PRUNER_MEASURE_MEASURE_RESULT_H_
#define PRUNER_MEASURE_MEASURE_RESULT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/measure/measure.pb.h"

namespace pruner {

// Numbers are written into record logs: append, never change.
enum class FailureKind {
  kCompileError = 1,    // refused by the schedule's reader, Halide or LLVM
  kCompileTimeout = 2,  // compiling took longer than the deadline
  kRunError = 3,        // the compiled code reported an error
  kRunTimeout = 4,      // running took longer than the deadline
  kCrash = 5,           // the worker died
  kOutOfMemory = 6,     // the candidate needed more memory than it may have
  kWrongResult = 7,     // the output differs from the reference
};
inline constexpr FailureKind kAllFailureKinds[] = {
    FailureKind::kCompileError, FailureKind::kCompileTimeout,
    FailureKind::kRunError,     FailureKind::kRunTimeout,
    FailureKind::kCrash,        FailureKind::kOutOfMemory,
    FailureKind::kWrongResult,
};

// Such as "compile_error".
absl::string_view FailureKindName(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kCompileError;
  std::string message;

  bool operator==(const Failure&) const = default;
};

struct MeasureResult {
  // Seconds of one execution, a sample each, in the order in which they were
  // taken; empty exactly if the candidate failed.
  std::vector<double> seconds = {};
  std::optional<Failure> failure = {};
  double compile_seconds = 0;
  // Largest difference from the reference, relative to the tolerance's scale.
  double max_error = 0;

  bool ok() const { return !failure.has_value(); }
  bool operator==(const MeasureResult&) const = default;
};

MeasureResult FailedResult(FailureKind kind, std::string message);

// The seconds by which candidates are compared: the median of the samples. A
// single slow sample (a neighbour on the machine) does not move it, and it is
// not the minimum that only an undisturbed machine would reach. Requires ok().
double Cost(const MeasureResult& result);

// The seconds that a run takes on the average: what several kernels take one
// after the other is the sum of these (of medians, where some runs are a little
// slow now and then, it would be too little; docs/cold_constants.md). Samples
// of more than twice the median do not count: something else ran instead, which
// the median of a network's runs does not see either. Requires ok().
double MeanSeconds(const MeasureResult& result);

proto::MeasureResult ToProto(const MeasureResult& result);
// Errors: no samples and no failure, both, a failure of no known kind, a sample
// that is not positive and finite.
absl::StatusOr<MeasureResult> FromProto(const proto::MeasureResult& message);

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURE_RESULT_H_
