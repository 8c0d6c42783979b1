// Where a pipeline's program has parallel loops.
#ifndef HALIDE_EXT_PASSES_PARALLEL_LOOPS_H_
#define HALIDE_EXT_PASSES_PARALLEL_LOOPS_H_

#include "Halide.h"

namespace pruner {

struct ParallelLoops {
  // Some lie inside others.
  bool has_nests = false;
  // Whatever the program does, it writes to no output before it comes to one.
  bool precede_outputs = false;
};

// Whenever `pipeline` is compiled, `*found` tells of its program; it must
// outlive the last time.
void AddFindParallelLoops(Halide::Pipeline& pipeline, ParallelLoops* found);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_PARALLEL_LOOPS_H_
