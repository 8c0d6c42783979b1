// ProgramSymbols: the numbers about a candidate that limits are checked on,
// read off its loops without lowering anything. The one extractor: what other
// packages want to know of a program they read here, by name.
#ifndef PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_
#define PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_

#include <cstdint>
#include <vector>

#include "pruner/schedule/loop_state.h"
#include "pruner/target/target_spec.h"

namespace pruner {

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
  // A parallel loop inside another stage's.
  bool is_nested_parallel = false;
  // Elements of the vectorized loop; 1 without one.
  int64_t vector_elements = 0;
  // Copies of the body, each a vector, after unrolling what is annotated so and
  // cutting the vectorized loop into vectors.
  int64_t unrolled_statements = 0;
  // Vectors that the unrolled loops inside a reduction's innermost reduction
  // loop update: they stay in registers if they fit. 0 where none is unrolled.
  int64_t accumulators = 0;
};

struct ProgramSymbols {
  std::vector<StageSymbols> stages;  // by stage of the DAG
};

// Requires inferred bounds.
ProgramSymbols ExtractSymbols(const LoopState& state, const TargetSpec& target);

// Elements of the vectors that a loop over `extent` elements is cut into: a
// power of two, at most the target's lanes.
int64_t VectorWidth(int64_t extent, const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_ANALYSIS_PROGRAM_SYMBOLS_H_
