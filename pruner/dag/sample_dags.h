// DAGs for the tests and benchmarks of whatever works on DAGs, made by hand so
// that they need no Halide.
#ifndef PRUNER_DAG_SAMPLE_DAGS_H_
#define PRUNER_DAG_SAMPLE_DAGS_H_

#include <cstdint>

#include "pruner/dag/compute_dag.h"

namespace pruner {

// Sums of three neighbours, of columns and of rows by turns, one after the
// other. Stages: input, s0, s1, …, each as large as what reads it needs; the
// last, of `size` rows and columns, is the output.
ComputeDag StencilsDag(int stencils, int64_t size);

// colors = image * gray for each channel, then sums of three neighbours of a
// row and gray. Stages: image {channels, size, size + 2}, gray {size, size +
// 2}, colors, out {channels, size, size}.
ComputeDag ChannelsDag(int64_t channels, int64_t size);

// C[i,j] += A[i,k] * B[k,j], then out = max(C, 0). Stages: A, B, C, out.
ComputeDag MatmulReluDag(int64_t rows, int64_t columns, int64_t depth);

// The same with B[j,k].
ComputeDag TransposedMatmulReluDag(int64_t rows, int64_t columns,
                                   int64_t depth);

struct ConvShape {
  int64_t batch = 1;
  int64_t size = 56;  // input height and width
  int64_t in_channels = 64;
  int64_t out_channels = 64;
  int64_t kernel = 3;
  int64_t stride = 1;
};

// NHWC convolution, "same" padding for odd kernels, then bias and ReLU; weights
// {out/16, ky, kx, in, 16}. Stages: input, weights, bias, pad, conv, out.
ComputeDag ConvBiasReluDag(const ConvShape& shape);

// 3x3 max pooling with stride 2, then a copy. Stages: input, pool, out.
ComputeDag MaxPoolDag(int64_t size, int64_t channels);

// So many times: f of an image, a stencil of `taps` of its rows, then sum, the
// image and f together. 2^diamonds ways lead through it. Stages: image, then f
// and sum by turns; the last sum is the output.
ComputeDag DiamondsDag(int diamonds, int64_t size, int taps);

}  // namespace pruner

#endif  // PRUNER_DAG_SAMPLE_DAGS_H_
