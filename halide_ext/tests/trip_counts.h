// How often the loops of a Halide statement run, and how long: found by
// interpreting the statement as far as loop bounds depend on it.
#ifndef HALIDE_EXT_TESTS_TRIP_COUNTS_H_
#define HALIDE_EXT_TESTS_TRIP_COUNTS_H_

#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"

namespace pruner {

// Of a loop or of an extent of an allocation: what it is each time that control
// comes by. A negative extent counts as 0.
struct TripCount {
  int64_t executions = 0;
  int64_t iterations = 0;  // the sum of all extents
  int64_t smallest = 0;    // 0 where there are no executions
  int64_t largest = 0;
  // All of this is so. Not where values of tensors decide, or what comes with
  // a buffer: then both branches count as taken, and such a loop as running
  // once.
  bool is_exact = true;

  bool operator==(const TripCount&) const = default;
};

struct TripCounts {
  std::vector<TripCount> loops;  // in program order
  // In program order, and of each its extents.
  std::vector<std::vector<TripCount>> allocations;

  bool operator==(const TripCounts&) const = default;
};

// Loops are run through one iteration after the other only if a bound in them
// depends on that, and what was counted for the same values of what it depends
// on is not counted again. Error: that takes more than `max_steps` all the
// same.
absl::StatusOr<TripCounts> CountTrips(const Halide::Internal::Stmt& statement,
                                      int64_t max_steps = 20'000'000);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_TRIP_COUNTS_H_
