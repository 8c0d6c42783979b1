// Halide's lowering of a scheduled pipeline as far as its loops are all there
// is to see: before loops are unrolled, vectorized, partitioned and cut into
// kernels.
#ifndef HALIDE_EXT_TESTS_HALIDE_PASSES_H_
#define HALIDE_EXT_TESTS_HALIDE_PASSES_H_

#include <map>
#include <string>

#include "Halide.h"

namespace pruner {

struct HalideStatement {
  Halide::Internal::Stmt body;
  // The pipeline's Functions as they were lowered, by name.
  std::map<std::string, Halide::Internal::Function> functions;
};

// Runs the passes of Halide 21's Lower.cpp, in its order and up to
// bound_constant_extent_loops, on a copy of the pipeline; but for tracing and
// debug_to_file. Throws what Halide throws.
HalideStatement LowerUntilUnrolling(const Halide::Pipeline& scheduled,
                                    const Halide::Target& target);

Halide::Internal::Stmt Simplified(const Halide::Internal::Stmt& statement);

// What follows directly.
Halide::Internal::Stmt Unrolled(const Halide::Internal::Stmt& statement);
Halide::Internal::Stmt Vectorized(const Halide::Internal::Stmt& unrolled,
                                  const HalideStatement& statement);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_HALIDE_PASSES_H_
