// The pipeline of the example.
#ifndef EXAMPLES_BLUR_H_
#define EXAMPLES_BLUR_H_

#include "Halide.h"

namespace pruner {

// A 3x3 binomial blur of an image with a border of two pixels at its right and
// lower side, in two passes: rows, then columns.
Halide::Pipeline BlurPipeline(int width, int height);

}  // namespace pruner

#endif  // EXAMPLES_BLUR_H_
