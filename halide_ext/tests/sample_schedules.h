// Schedules for the tests of lowering: the same in the program that prints them
// as C++ and in the test that compares the printed code with direct
// application.
#ifndef HALIDE_EXT_TESTS_SAMPLE_SCHEDULES_H_
#define HALIDE_EXT_TESTS_SAMPLE_SCHEDULES_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

struct SampleSchedule {
  std::string name;            // of the printed function
  Halide::Pipeline (*make)();  // the pipeline it is for
  AnalyzedPipeline analyzed;
  Schedule schedule;
};

// Some of every sketch of a matrix product and of two convolutions.
std::vector<SampleSchedule> SampleSchedules();

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_SAMPLE_SCHEDULES_H_
