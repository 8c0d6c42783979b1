// ProgramSymbols: the numbers about a candidate that limits are checked on,
// read off its Program. The one extractor: what other packages want to know of
// a program they read here, by name.
#ifndef PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_
#define PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_

#include <cstdint>
#include <vector>

#include "pruner/program/program.h"

namespace pruner {

// Of the loops of a stage's last definition.
struct StageSymbols {
  // Nothing is computed: an input, or inlined. The other fields are then 0.
  bool is_absent = false;
  // Iterations of the parallel loop; 1 without one.
  int64_t parallel_extent = 0;
  // Blocks of the grid, threads of a block, and virtual threads of a thread; 1
  // where no loop is bound to them.
  int64_t blocks = 0;
  int64_t threads = 0;
  int64_t vthreads = 0;
  bool has_threads = false;  // a loop is bound to them, if only of one
  // A parallel loop inside another, of whichever stage.
  bool is_nested_parallel = false;
  int64_t vector_elements = 0;  // of a vector; 1 without vectors
  // Copies of the body, each a vector, after all unrolling, that of the loops
  // it is computed in included. One whose lanes are masked counts as eight: so
  // much more code it is to the compiler.
  int64_t unrolled_statements = 0;
  // Vectors that the unrolled loops inside a reduction's innermost reduction
  // loop update: they stay in registers if they fit. 0 where none is unrolled.
  int64_t accumulators = 0;
  // Elements of the stage that a thread computes: spatial loops but blocks and
  // threads.
  int64_t thread_elements = 0;
  // Elements that are computed anew for each iteration of the loops around,
  // and how often that is.
  int64_t region_elements = 0;
  int64_t executions = 0;
};

struct ProgramSymbols {
  std::vector<StageSymbols> stages;  // by stage of the DAG
};

// Into `symbols`, whose memory is used again.
void ExtractSymbols(const Program& program, ProgramSymbols& symbols);

}  // namespace pruner

#endif  // PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_
