// Loops that operators' definitions in double precision share.
#ifndef MODELS_OPERATORS_REFERENCE_LOOPS_H_
#define MODELS_OPERATORS_REFERENCE_LOOPS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace pruner {

// Calls body(i) for every i in [0, count), thread t taking every i with i %
// threads == t.
void ForRows(int64_t count, int threads, absl::FunctionRef<void(int64_t)> body);

// sums[o] += input[c] * weights[c * weights_stride + o], for c below `inner`
// and o below `outer`.
void AddProducts(const double* input, const double* weights, int64_t inner,
                 int64_t outer, int64_t weights_stride, double* sums);

}  // namespace pruner

#endif  // MODELS_OPERATORS_REFERENCE_LOOPS_H_
