// Image processing pipelines as Halide's users write them: chains of stencils,
// pyramids. Unlike a network's operators, what counts is which
// stages are computed together.
#ifndef TOOLS_BENCH_STENCIL_PIPELINES_H_
#define TOOLS_BENCH_STENCIL_PIPELINES_H_

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

struct StencilCase {
  std::string name;
  std::function<Halide::Pipeline()> make;
  std::string as_written;  // a Func that no schedule tiles; empty: none
};

// blur (3x3 box), unsharp (7x7 Gaussian mask), harris (corners), pyramid
// (Laplacian pyramid, detail amplified), bilateral_grid (a histogram that
// pixels are scattered to, and sampled from where their values say) of images
// with `width` x `height` pixels, both multiples of 64; fp32.
std::vector<StencilCase> StencilCases(int width, int height);

}  // namespace pruner

#endif  // TOOLS_BENCH_STENCIL_PIPELINES_H_
