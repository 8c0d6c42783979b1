#include "pruner/base/text/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace pruner {
namespace {

constexpr int64_t kMinutesPerDay = 1440;

// The number with three significant digits, but no fewer than its integral
// ones.
std::string ThreeDigits(double value) {
  const double size = std::abs(value);
  // The bounds are where rounding makes one digit more before the point.
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f", decimals, value);
}

// `value` is in the first of the units, each of which is `factor` of the one
// before.
std::string WithUnit(double value, double factor,
                     absl::Span<const absl::string_view> units) {
  size_t unit = 0;
  while (unit + 1 < units.size() && std::abs(value) >= factor - 0.5) {
    value /= factor;
    ++unit;
  }
  return absl::StrCat(ThreeDigits(value), " ", units[unit]);
}

}  // namespace

std::string FormatTime(absl::Duration duration) {
  if (duration < absl::ZeroDuration()) return "-" + FormatTime(-duration);
  if (duration == absl::InfiniteDuration()) return "forever";
  if (duration < absl::Milliseconds(59950)) {
    return WithUnit(absl::ToDoubleNanoseconds(duration), 1000,
                    {"ns", "us", "ms", "s"});
  }
  const int64_t seconds =
      absl::ToInt64Seconds(duration + absl::Milliseconds(500));
  const int64_t minutes = (seconds + 30) / 60;
  const int64_t hours = (minutes + 30) / 60;
  if (seconds < 3600)
    return absl::StrFormat("%dm%02ds", seconds / 60, seconds % 60);
  if (minutes < kMinutesPerDay)
    return absl::StrFormat("%dh%02dm", minutes / 60, minutes % 60);
  return absl::StrFormat("%dd%02dh", hours / 24, hours % 24);
}

std::string FormatFlops(double flops_per_second) {
  return WithUnit(
      flops_per_second, 1000,
      {"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"});
}

std::string FormatBytes(int64_t bytes) {
  if (std::abs(static_cast<double>(bytes)) < 1024)
    return absl::StrCat(bytes, " B");
  return WithUnit(static_cast<double>(bytes), 1024,
                  {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

int ColumnDecimals(absl::Span<const double> values) {
  constexpr int kMostDecimals = 12;
  int decimals = 0;
  for (const double value : values) {
    if (!(value > 0)) continue;
    const double leading = std::max(std::floor(std::log10(value)), -1e3);
    decimals = std::max(decimals, 2 - static_cast<int>(leading));
  }
  return std::min(decimals, kMostDecimals);
}

}  // namespace pruner
