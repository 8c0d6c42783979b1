// Faults that test_worker injects.
#ifndef HALIDE_EXT_RUNNER_FAULT_H_
#define HALIDE_EXT_RUNNER_FAULT_H_

#include "pruner/schedule/transform_step.h"

namespace pruner {

enum class Fault {
  kCrash = -1,
  kHang = -2,
  kAllocate = -3,
  kWrongResult = -4,
  kIsKilled = -5,        // as if from outside, every time
  kIsKilledOnce = -6,    // the first time that any candidate of a test is
  kTouchesTooMuch = -7,  // of the output, a page behind it
};

// `schedule`, made to misbehave in a test_worker; anywhere else it runs.
inline Schedule WithFault(Schedule schedule, int stage, Fault fault) {
  schedule.steps.push_back(
      AutoUnrollStep{.stage = stage, .max_step = static_cast<int>(fault)});
  return schedule;
}

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_FAULT_H_
