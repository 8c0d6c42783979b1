// Loops that operators' definitions in double precision share.
#ifndef MODELS_OPERATORS_REFERENCE_LOOPS_H_
#define MODELS_OPERATORS_REFERENCE_LOOPS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "models/operators/shape.h"

namespace pruner {

// Calls body(i) for every i in [0, count), thread t taking every i with i %
// threads == t.
void ForRows(int64_t count, int threads, absl::FunctionRef<void(int64_t)> body);

// A row of a matrix, and that of its products with others.
struct ProductRow {
  const double* input;
  double* sums;
};

// Of each row: sums[o] += input[c] * weights[c * weights_stride + o], for c
// below `inner`, in this order, and o below `outer`. The weights are read once
// for all rows, and sums are the same as of each row alone. No row's sums are
// another one's.
void AddProducts(absl::Span<const ProductRow> rows, const double* weights,
                 int64_t inner, int64_t outer, int64_t weights_stride);

// How many elements lie between neighbours in each dimension, row-major.
std::vector<int64_t> Strides(absl::Span<const int64_t> shape);

// Calls visit(number of the element, its index in each dimension) for each
// element, in row-major order.
void ForEachIndex(
    absl::Span<const int64_t> shape,
    absl::FunctionRef<void(int64_t, absl::Span<const int64_t>)> visit);

}  // namespace pruner

#endif  // MODELS_OPERATORS_REFERENCE_LOOPS_H_
