// The operators on matrices of the operator suite. Matrices are row-major, as
// they come; none is a packed constant.
#ifndef TOOLS_BENCH_MATRICES_H_
#define TOOLS_BENCH_MATRICES_H_

#include "Halide.h"

namespace pruner {

// `batch` products of {rows, depth} and {depth, columns}, or, if
// `is_transposed`, {columns, depth}.
struct MatmulShape {
  int batch = 1;
  int rows = 1;
  int columns = 1;
  int depth = 1;
  bool is_transposed = false;
};
Halide::Pipeline BatchMatmul(const MatmulShape& shape);

// The 2-norm of each of `batch` matrices: all of a matrix is one reduction.
struct NormShape {
  int batch = 1;
  int rows = 1;
  int columns = 1;
};
Halide::Pipeline MatrixNorm(const NormShape& shape);

// Attention weights: query and key, {batch, length, heads, depth}, transposed
// to a matrix for each head (Funcs "query_t" and "key_t"), multiplied, and a
// softmax along the rows of the product.
struct AttentionShape {
  int batch = 1;
  int length = 1;
  int heads = 1;
  int depth = 1;
};
Halide::Pipeline TransposeMatmulSoftmax(const AttentionShape& shape);

}  // namespace pruner

#endif  // TOOLS_BENCH_MATRICES_H_
