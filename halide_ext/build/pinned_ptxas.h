// The ptxas that this repository pins, for tests.
#ifndef HALIDE_EXT_BUILD_PINNED_PTXAS_H_
#define HALIDE_EXT_BUILD_PINNED_PTXAS_H_

#include "halide_ext/build/ptxas.h"

namespace pruner {

// Fails the test if there is none among its runfiles.
Ptxas PinnedPtxas();

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PINNED_PTXAS_H_
