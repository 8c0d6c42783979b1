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

// sums[o] += input[c] * weights[c * weights_stride + o], for c below `inner`
// and o below `outer`.
void AddProducts(const double* input, const double* weights, int64_t inner,
                 int64_t outer, int64_t weights_stride, double* sums);

// How many elements lie between neighbours in each dimension, row-major.
std::vector<int64_t> Strides(absl::Span<const int64_t> shape);

// Calls visit(number of the element, its index in each dimension) for each
// element, in row-major order.
void ForEachIndex(
    absl::Span<const int64_t> shape,
    absl::FunctionRef<void(int64_t, absl::Span<const int64_t>)> visit);

}  // namespace pruner

#endif  // MODELS_OPERATORS_REFERENCE_LOOPS_H_
