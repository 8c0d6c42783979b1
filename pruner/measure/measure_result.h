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
  kCompileError = 1,    // refused by Halide's lowering, LLVM or a limit
  kCompileTimeout = 2,  // compiling took longer than the deadline
  kRunError = 3,        // the compiled code reported an error
  kRunTimeout = 4,      // running took longer than the deadline
  kCrash = 5,           // the worker was ended by a signal, or ended itself
  kOutOfMemory = 6,     // the candidate needed more memory than it may have
  kWrongResult = 7,     // the output differs from the reference
  kLowering = 8,        // refused by the schedule's reader or a directive
  kLoad = 9,            // what compiles it cannot be loaded
  kOutOfBounds = 10,    // the candidate touched memory beyond a tensor
  kNotANumber = 11,     // the output is no number where the reference is one
  kDevice = 12,         // the device or its driver reported an error
  kProtocol = 13,       // the worker's answer cannot be read
  // Somebody else ended the worker, which says nothing about the candidate: it
  // is measured again, and such a result is in no log.
  kLostWorker = 14,
};
inline constexpr FailureKind kAllFailureKinds[] = {
    FailureKind::kCompileError, FailureKind::kCompileTimeout,
    FailureKind::kRunError,     FailureKind::kRunTimeout,
    FailureKind::kCrash,        FailureKind::kOutOfMemory,
    FailureKind::kWrongResult,  FailureKind::kLowering,
    FailureKind::kLoad,         FailureKind::kOutOfBounds,
    FailureKind::kNotANumber,   FailureKind::kDevice,
    FailureKind::kProtocol,     FailureKind::kLostWorker,
};

// Such as "compile_error".
absl::string_view FailureKindName(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kCompileError;
  std::string message;

  bool operator==(const Failure&) const = default;
};

// Nothing runs in less than a few cycles: less is a clock that stood still or a
// damaged number, and would make a candidate infinitely fast.
inline constexpr double kShortestSeconds = 1e-9;

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

// What the trial took of a search's time if `workers` compile at the same time,
// and one candidate after the other runs; on devices, where a sample stands for
// many runs, hardly more than compiling.
double TrialSeconds(const MeasureResult& result, int workers);

proto::MeasureResult ToProto(const MeasureResult& result);
// Errors: no samples and no failure, both, a failure of no known kind, a sample
// that is less than kShortestSeconds or not finite.
absl::StatusOr<MeasureResult> FromProto(const proto::MeasureResult& message);

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURE_RESULT_H_
