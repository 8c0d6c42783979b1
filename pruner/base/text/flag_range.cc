#include "pruner/base/text/flag_range.h"

#include "absl/strings/str_format.h"

namespace pruner {

absl::Status CheckFlagRange(absl::string_view flag, double value, double min,
                            double max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "--%s=%.12g is not between %.12g and %.12g", flag, value, min, max));
}

}  // namespace pruner
