// Whether parallel loops of a pipeline lie inside others.
#ifndef HALIDE_EXT_PASSES_PARALLEL_NESTS_H_
#define HALIDE_EXT_PASSES_PARALLEL_NESTS_H_

#include "Halide.h"

namespace pruner {

// Whenever `pipeline` is compiled, `*has_nests` tells of its program; it must
// outlive the last time.
void AddFindParallelNests(Halide::Pipeline& pipeline, bool* has_nests);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_PARALLEL_NESTS_H_
