// Faults that test_worker injects.
#ifndef HALIDE_EXT_RUNNER_FAULT_H_
#define HALIDE_EXT_RUNNER_FAULT_H_

#include "pruner/schedule/transform_step.h"

namespace pruner {

enum class Fault { kCrash = -1, kHang = -2, kAllocate = -3, kWrongResult = -4 };

// `schedule`, made to misbehave in a test_worker; anywhere else it runs.
inline Schedule WithFault(Schedule schedule, int stage, Fault fault) {
  schedule.steps.push_back(
      AutoUnrollStep{.stage = stage, .max_step = static_cast<int>(fault)});
  return schedule;
}

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_FAULT_H_
