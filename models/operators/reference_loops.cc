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
namespace {

// Sums that stay in the first cache, with the weights that they are made of.
constexpr int64_t kBlock = 256;
// Products that are added to a sum before the next one is looked at.
constexpr int64_t kSteps = 4;

void AddStep(double input, const double* __restrict weights, int64_t count,
             double* __restrict sums) {
  for (int64_t o = 0; o < count; ++o) sums[o] += input * weights[o];
}

// kSteps of these, one after the other.
void AddSteps(const double* input, const double* weights, int64_t stride,
              int64_t count, double* __restrict sums) {
  const double v0 = input[0], v1 = input[1], v2 = input[2], v3 = input[3];
  const double* __restrict w0 = weights;
  const double* __restrict w1 = weights + stride;
  const double* __restrict w2 = weights + 2 * stride;
  const double* __restrict w3 = weights + 3 * stride;
  for (int64_t o = 0; o < count; ++o)
    sums[o] = (((sums[o] + v0 * w0[o]) + v1 * w1[o]) + v2 * w2[o]) + v3 * w3[o];
}

}  // namespace

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

void AddProducts(absl::Span<const ProductRow> rows, const double* weights,
                 int64_t inner, int64_t outer, int64_t weights_stride) {
  for (int64_t from = 0; from < outer; from += kBlock) {
    const int64_t block = std::min(kBlock, outer - from);
    int64_t c = 0;
    for (; c + kSteps <= inner; c += kSteps) {
      const double* const step = weights + c * weights_stride + from;
      for (const ProductRow& row : rows)
        AddSteps(row.input + c, step, weights_stride, block, row.sums + from);
    }
    for (; c < inner; ++c) {
      const double* const step = weights + c * weights_stride + from;
      for (const ProductRow& row : rows)
        AddStep(row.input[c], step, block, row.sums + from);
    }
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
