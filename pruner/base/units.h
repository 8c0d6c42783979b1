// Quantities as people read them: three digits and a unit.
#ifndef PRUNER_BASE_UNITS_H_
#define PRUNER_BASE_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"

namespace pruner {

// "17.4 ms"; from a minute on "2m05s", "3h07m", "2d04h".
std::string FormatTime(absl::Duration duration);

// Floating-point operations per second: "209 GFLOP/s".
std::string FormatFlops(double flops_per_second);

// Powers of 1024: "512 B", "1.50 KiB".
std::string FormatBytes(int64_t bytes);

}  // namespace pruner

#endif  // PRUNER_BASE_UNITS_H_
