// A lowering pass that loads no more of inputs than is read of them.
#ifndef HALIDE_EXT_PASSES_TRIM_DENSE_LOADS_H_
#define HALIDE_EXT_PASSES_TRIM_DENSE_LOADS_H_

#include "Halide.h"

namespace pruner {

// Halide 21 makes a dense load of `lanes * stride` elements of a strided one
// and takes every stride-th. For a buffer that it does not allocate itself it
// looks for another load of the same statement that shows that the elements
// before the first or behind the last one exist, and compares variables by
// name. But it has cut loops in two or three before (where conditions are true
// for some iterations only), whose variables have the same name: a load of the
// middle vouches for one of the first iterations, and the dense load of those
// begins before the buffer does.
//
// This makes strided loads again of the slices of a dense one unless loads that
// are always executed together with it touch its first element, or one before,
// and its last, or one behind.
//
// Expects statements as custom lowering passes get them.
Halide::Internal::Stmt TrimDenseLoads(const Halide::Internal::Stmt& stmt);

// Has `pipeline` run the pass whenever it is compiled. Copies of a Pipeline
// share their contents, so this reaches the caller's.
void AddTrimDenseLoads(Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_TRIM_DENSE_LOADS_H_
