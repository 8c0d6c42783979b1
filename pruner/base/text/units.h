// Quantities as people read them: three digits and a unit.
#ifndef PRUNER_BASE_TEXT_UNITS_H_
#define PRUNER_BASE_TEXT_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "absl/types/span.h"

namespace pruner {

// "17.4 ms"; from a minute on "2m05s", "3h07m", "2d04h".
std::string FormatTime(absl::Duration duration);

// Floating-point operations per second: "209 GFLOP/s".
std::string FormatFlops(double flops_per_second);

// Powers of 1024: "512 B", "1.50 KiB".
std::string FormatBytes(int64_t bytes);

// How many decimals show three digits of the smallest positive value, for a
// column of a table whose decimal points stand below each other: 2 for {1.23,
// 45.6}, 5 for {0.00123, 45.6}. At most 12; 0 if none is positive.
int ColumnDecimals(absl::Span<const double> values);

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_UNITS_H_
