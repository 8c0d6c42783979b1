// Pipelines for tests and benchmarks of whatever compiles or runs them.
#ifndef HALIDE_EXT_ANALYZE_SAMPLE_PIPELINES_H_
#define HALIDE_EXT_ANALYZE_SAMPLE_PIPELINES_H_

#include "Halide.h"

namespace pruner {

// out[i, j] = max(sum over k of A[i, k] * B[k, j], 0).
Halide::Pipeline MatmulReluPipeline(int rows, int columns, int depth);

// out[i] = sqrt(sum over k and l of A[i, k, l]^2): long reductions, few of
// them.
Halide::Pipeline NormPipeline(int rows, int depth, int length);

// product[i, j] = bias[j] + sum over k of A[i, k] * B[k, j]: the output is the
// reduction itself.
Halide::Pipeline SumPipeline(int rows, int columns, int depth);

// The middle of a Winograd convolution, F(2x2, 3x3): tiles of 4x4 inputs are
// transformed in rows and columns, and out[p, u, t, c] = max(sum over k of
// weights[p, k, c] * columns[p, u, t, k], 0) for each position p in a tile.
// Stages: input, weights, rows, columns, product, out.
Halide::Pipeline WinogradProductPipeline(int tiles, int in_channels,
                                         int out_channels);

struct ConvSizes {
  int size = 56;  // height and width of the input
  int in_channels = 64;
  int out_channels = 64;
  int kernel = 3;
  int stride = 1;
};

// NHWC convolution with "same" padding, bias and ReLU, weights packed by 16
// output channels: the pipeline of pruner/dag's ConvBiasReluDag.
Halide::Pipeline ConvBiasReluPipeline(const ConvSizes& sizes);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_SAMPLE_PIPELINES_H_
