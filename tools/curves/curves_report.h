// Tuning curves as text.
#ifndef TOOLS_CURVES_CURVES_REPORT_H_
#define TOOLS_CURVES_CURVES_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tools/curves/tuning_curve.h"

namespace pruner {

// A row for each label, of medians over its seeds and their ranges: trials,
// wall time, the shares of it for choosing candidates and for training, and
// latency at the end. With `beside`, a label or the part of one before a comma,
// also when each was as fast as the median of that one's curves ended, in
// seconds and as a share of the median of the time that those took in all.
// Error: no curves, or those of several labels, are meant.
absl::StatusOr<std::string> CurvesText(
    absl::Span<const std::vector<TuningCurve>> groups,
    const std::string& beside);

// label,seed,trials,seconds,network_ms: a line for each point.
std::string CurvesCsv(absl::Span<const std::vector<TuningCurve>> groups);

}  // namespace pruner

#endif  // TOOLS_CURVES_CURVES_REPORT_H_
