// Holds a Program against what Halide's own lowering makes of its directives.
#ifndef HALIDE_EXT_TESTS_PROGRAM_CHECK_H_
#define HALIDE_EXT_TESTS_PROGRAM_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "halide_ext/build/kernel.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct ProgramCheck {
  int stages = 0;    // that are computed
  int attached = 0;  // of these inside another's loops
  int slid = 0;      // of these, over the loop that they are in
  int statements = 0;
  int loops = 0;
  // Halide finds that the outputs do not depend on some stage (x * 0), and
  // computes nothing of it: there is nothing to compare.
  bool has_dead_stage = false;
  // A sentence about each thing that is not the same.
  std::vector<std::string> differences;
  std::string program, halide;  // as text
};

// Compares, for every definition of every stage, the loops around it from the
// outermost on (their kinds, extents and whether these are constant), the
// lengths of vectors and the number of copies after unrolling; for every stage
// where it is allocated, and whether more of it is needed than its dimensions
// are bound to. Error: what Halide refuses.
absl::StatusOr<ProgramCheck> CheckProgram(const WorkloadPipeline& pipeline,
                                          const Schedule& schedule,
                                          const TargetSpec& target);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_PROGRAM_CHECK_H_
