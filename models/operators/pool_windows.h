// What poolings over windows of {N, H, W, C} share.
#ifndef MODELS_OPERATORS_POOL_WINDOWS_H_
#define MODELS_OPERATORS_POOL_WINDOWS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/task_text.h"
#include "pruner/base/status_macros.h"

namespace pruner {

template <typename Pool>
absl::StatusOr<Shape> InferPoolShape(const Pool& op, const Shape& input) {
  RETURN_IF_ERROR(CheckRank("input", input, 4));
  RETURN_IF_ERROR(CheckExtent("kernel", op.kernel));
  RETURN_IF_ERROR(CheckExtent("stride", op.stride));
  RETURN_IF_ERROR(CheckPadding(op.padding, {op.kernel.h - 1, op.kernel.w - 1}));
  return WindowedShape(input, op.kernel, op.stride, op.padding, input[3]);
}

template <typename Pool>
double CountPoolFlops(const Pool& op, const Shape& output) {
  return NumElementsAsDouble(output) * static_cast<double>(op.kernel.h) *
         static_cast<double>(op.kernel.w);
}

// "_3x3_s2".
template <typename Pool>
std::string PoolTaskAttributes(const Pool& op) {
  return absl::StrCat("_", ExtentText(op.kernel), FactorText("s", op.stride));
}

// Calls visit(value) for each element of `input` that the window of output
// element (n, y, x, c) holds.
template <typename Pool, typename Visit>
void VisitWindow(const Pool& op, const Array& input, int64_t n, int64_t y,
                 int64_t x, int64_t c, const Visit& visit) {
  const int64_t height = input.shape[1], width = input.shape[2];
  for (int64_t ky = 0; ky < op.kernel.h; ++ky) {
    const int64_t in_y = y * op.stride.h + ky - op.padding.top;
    if (in_y < 0 || in_y >= height) continue;
    for (int64_t kx = 0; kx < op.kernel.w; ++kx) {
      const int64_t in_x = x * op.stride.w + kx - op.padding.left;
      if (in_x < 0 || in_x >= width) continue;
      visit(input.values[((n * height + in_y) * width + in_x) * input.shape[3] +
                         c]);
    }
  }
}

// Sets every output element to element(n, y, x, c).
template <typename Element>
void ForEachPixelChannel(Array& output, const Element& element) {
  double* out = output.values.data();
  for (int64_t n = 0; n < output.shape[0]; ++n) {
    for (int64_t y = 0; y < output.shape[1]; ++y) {
      for (int64_t x = 0; x < output.shape[2]; ++x) {
        for (int64_t c = 0; c < output.shape[3]; ++c)
          *out++ = element(n, y, x, c);
      }
    }
  }
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_POOL_WINDOWS_H_
