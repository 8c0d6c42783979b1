// Schedules for which Halide takes more of a stage to be needed than there is.
#ifndef PRUNER_PROGRAM_CHECK_REGIONS_H_
#define PRUNER_PROGRAM_CHECK_REGIONS_H_

#include "absl/status/status.h"
#include "pruner/program/loop_values.h"

namespace pruner {

// Error: a schedule that compiles and then fails when it runs, for want of
// input or of what bounds allow. `values` are what was computed last.
//
// Halide finds what is read inside of loops from the ranges of their counters.
// Where an index is a remainder by an extent that differs from tile to tile, it
// adds the largest extent to the last tile's begin; and it does not find that a
// remainder is one number inside of a part that is moved inwards.
absl::Status CheckRegions(const LoopValues& values);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_CHECK_REGIONS_H_
