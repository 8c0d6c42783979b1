// Pipelines of about a hundred stages, by which to see that work on a pipeline
// does not grow faster than it should.
#ifndef TOOLS_BENCH_DEEP_PIPELINES_H_
#define TOOLS_BENCH_DEEP_PIPELINES_H_

#include <vector>

#include "tools/bench/stencil_pipelines.h"

namespace pruner {

// chain (a hundred stencils, each of the one before), residuals (forty times a
// stencil, a function of it, and their sum with what the stencil reads: 2^40
// ways through it), pyramid_10 (down and up ten levels, details smoothed) of
// images with `width` x `height` pixels, both at least 512; fp32.
std::vector<StencilCase> DeepCases(int width, int height);

}  // namespace pruner

#endif  // TOOLS_BENCH_DEEP_PIPELINES_H_
