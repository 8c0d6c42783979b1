// The convolutions of the operator suite. Each is an accumulator "conv" (an
// initialization and one update) and "out"; a padded input is read through
// "pad". Images are channel-last and weights packed (pipeline_parts.h).
#ifndef TOOLS_BENCH_CONVOLUTIONS_H_
#define TOOLS_BENCH_CONVOLUTIONS_H_

#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

struct ConvolutionShape {
  int batch = 1;
  std::vector<int> image;  // innermost first: width, height, depth
  int in_channels = 1;
  int out_channels = 1;
  int kernel = 1;  // in every dimension of the image, as are the others
  int stride = 1;
  int padding = 0;
  int dilation = 1;
  int groups = 1;

  // "16x56x56x64 128 k3 s2 p1 g4": the image with its channels, outermost
  // first, output channels, what is not the identity. Without the batch.
  std::string ToString() const;
};

// What follows the convolution, in "out".
enum class ConvolutionEpilogue { kNone, kBatchNormRelu };

// In one to three dimensions, dilated or in groups. `lanes` is the vector
// length for which weights are packed, here and below.
Halide::Pipeline Convolution(const ConvolutionShape& shape,
                             ConvolutionEpilogue epilogue, int lanes);

// One filter per channel: out_channels equals in_channels and is not read.
Halide::Pipeline DepthwiseConvolution(const ConvolutionShape& shape);

// The transpose of a convolution with this stride and padding: each output
// pixel gathers the input pixels that contribute to it, kernel / stride of them
// in each direction, and nothing is multiplied by zeros in between. The kernel
// is a multiple of the stride. Weights are stored by the phase of the output
// pixel (its position plus the padding, modulo the stride) and then in the
// order of the input pixels.
Halide::Pipeline TransposedConvolution(const ConvolutionShape& shape,
                                       int lanes);

// Pixels and weights are 4x4 matrices per channel, and products those of
// matrices.
Halide::Pipeline CapsuleConvolution(const ConvolutionShape& shape, int lanes);

}  // namespace pruner

#endif  // TOOLS_BENCH_CONVOLUTIONS_H_
