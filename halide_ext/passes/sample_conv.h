// A 3x3 convolution with a GPU schedule of the kind that searches emit, for
// tests.
#ifndef HALIDE_EXT_PASSES_SAMPLE_CONV_H_
#define HALIDE_EXT_PASSES_SAMPLE_CONV_H_

#include "Halide.h"
#include "halide_ext/passes/sample_gemm.h"

namespace pruner {

struct ConvOptions {
  int size = 56;  // of the image, which is square
  int in_channels = 64;
  int out_channels = 64;
  GemmTile channel = {.threads = 16, .vthreads = 1, .inner = 4};
  GemmTile x = {.threads = 7, .vthreads = 1, .inner = 2};
  GemmTile y = {.threads = 1, .vthreads = 1, .inner = 2};
  int channel_tile = 8;              // input channels staged at a time
  int unrolled_channels = 4;         // of those
  bool kernel_rows_outside = false;  // a chunk has one row of the kernel only
  bool fused_threads = false;        // one loop over threads instead of three
  bool vectorize = false;            // accumulators of neighbours as vectors
  bool vectorize_output = true;      // stores of neighbours as vectors
};

struct ConvFuncs {
  Halide::Func padded;   // the input with a frame of zeros
  Halide::Func weights;  // out channels x in channels x 3 x 3
  Halide::Func acc;      // the convolution
  Halide::Func out;      // max(acc, 0)
};

struct Conv {
  Halide::ImageParam input;  // channels x width x height
  Halide::ImageParam weights;
  ConvFuncs funcs;
  Halide::Pipeline pipeline;
};

// Sizes are fixed, and nothing is scheduled.
Conv ConvAlgorithm(const ConvOptions& options);

// The accumulators are computed at the block and stored in registers; weights
// and the input with its padding are staged in shared memory. The last block of
// a dimension is a whole one that overlaps its neighbour.
void ScheduleConv(const ConvOptions& options, ConvFuncs funcs);

// Both.
Conv MakeConv(const ConvOptions& options);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_SAMPLE_CONV_H_
