// A matrix multiplication with a GPU schedule of the kind that searches emit,
// for tests.
#ifndef HALIDE_EXT_PASSES_SAMPLE_GEMM_H_
#define HALIDE_EXT_PASSES_SAMPLE_GEMM_H_

#include "Halide.h"
#include "pruner/base/round_up.h"

namespace pruner {

// How a dimension of the output is tiled: a block has vthreads * threads *
// inner elements, and a thread `inner` neighbours in each of `vthreads` places.
struct GemmTile {
  int threads = 16;
  int vthreads = 2;
  int inner = 4;
  int Block() const { return threads * vthreads * inner; }
};

struct GemmOptions {
  int rows = 1024;
  int columns = 1024;
  int depth = 1024;
  GemmTile row = {};
  GemmTile column = {};
  int depth_tile = 16;     // what is staged in shared memory at a time
  bool vectorize = false;  // accumulators of neighbours as vectors
  // The output reads its right neighbour's accumulator too.
  bool reads_neighbour = false;

  // Inputs are there for whole blocks, outputs need not be.
  int PaddedRows() const { return RoundUp(rows, row.Block()); }
  int PaddedColumns() const { return RoundUp(columns, column.Block()); }
};

struct GemmFuncs {
  Halide::Func a;    // depth x padded rows
  Halide::Func b;    // padded columns x depth
  Halide::Func c;    // a * b
  Halide::Func out;  // max(c, 0)
};

struct Gemm {
  Halide::ImageParam a;
  Halide::ImageParam b;
  GemmFuncs funcs;
  Halide::Pipeline pipeline;
};

// Sizes are fixed, and nothing is scheduled.
Gemm GemmAlgorithm(const GemmOptions& options);

// The accumulators are computed at the block and stored in registers; both
// inputs are staged in shared memory.
void ScheduleGemm(const GemmOptions& options, GemmFuncs funcs);

// Both.
Gemm MakeGemm(const GemmOptions& options);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_SAMPLE_GEMM_H_
