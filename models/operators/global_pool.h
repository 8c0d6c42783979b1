// What poolings over all spatial dimensions of {N, spatial..., C} share.
#ifndef MODELS_OPERATORS_GLOBAL_POOL_H_
#define MODELS_OPERATORS_GLOBAL_POOL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"

namespace pruner {

inline absl::StatusOr<Shape> InferGlobalPoolShape(const Shape& input) {
  if (input.size() < 3) {
    return Invalid("input must have at least 3 dimensions, not ", input.size());
  }
  Shape output(input.size(), 1);
  output.front() = input.front();
  output.back() = input.back();
  return output;
}

// The same elements as {N, H, W, C}.
inline Shape AsImage(const Shape& shape) {
  if (shape.size() == 4) return shape;
  const int64_t pixels =
      NumElements(absl::MakeConstSpan(shape).subspan(1, shape.size() - 2));
  return {shape.front(), 1, pixels, shape.back()};
}

// Sets every element of the output to element(first, pixels, channels): `first`
// points to the first of `pixels` elements of the input that are `channels`
// apart.
template <typename Element>
void ForEachImageChannel(const Array& input, Array& output,
                         const Element& element) {
  const int64_t channels = input.shape.back();
  const int64_t pixels = NumElements(input.shape) / input.shape[0] / channels;
  for (int64_t i = 0; i < NumElements(output.shape); ++i) {
    const int64_t n = i / channels, c = i % channels;
    output.values[i] =
        element(&input.values[n * pixels * channels + c], pixels, channels);
  }
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_GLOBAL_POOL_H_
