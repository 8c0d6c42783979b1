// Numbers that users give, and what they may be.
#ifndef PRUNER_BASE_TEXT_FLAG_RANGE_H_
#define PRUNER_BASE_TEXT_FLAG_RANGE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// OK if `value` is within [min, max]; else InvalidArgument with flag, value and
// range.
absl::Status CheckFlagRange(absl::string_view flag, double value, double min,
                            double max);

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_FLAG_RANGE_H_
