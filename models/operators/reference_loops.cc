#include "models/operators/reference_loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "models/operators/shape.h"

namespace pruner {

void ForRows(int64_t count, int threads,
             absl::FunctionRef<void(int64_t)> body) {
  const auto run = [&](int64_t first) {
    for (int64_t i = first; i < count; i += threads) body(i);
  };
  std::vector<std::thread> others;
  for (int t = 1; t < std::min<int64_t>(threads, count); ++t)
    others.emplace_back(run, t);
  run(0);
  for (std::thread& other : others) other.join();
}

void AddProducts(const double* input, const double* weights, int64_t inner,
                 int64_t outer, int64_t weights_stride, double* sums) {
  for (int64_t c = 0; c < inner; ++c) {
    const double value = input[c];
    const double* row = weights + c * weights_stride;
    for (int64_t o = 0; o < outer; ++o) sums[o] += value * row[o];
  }
}

std::vector<int64_t> Strides(absl::Span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

void ForEachIndex(
    absl::Span<const int64_t> shape,
    absl::FunctionRef<void(int64_t, absl::Span<const int64_t>)> visit) {
  std::vector<int64_t> index(shape.size());
  const int64_t elements = NumElements(shape);
  for (int64_t i = 0; i < elements; ++i) {
    visit(i, index);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace pruner
