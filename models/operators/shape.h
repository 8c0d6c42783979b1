// Static tensor shapes: extents, outermost first. Activations are {N, H, W, C}.
#ifndef MODELS_OPERATORS_SHAPE_H_
#define MODELS_OPERATORS_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace pruner {

using Shape = std::vector<int64_t>;

// Upper bound on the elements of one tensor: as floats they have less than the
// 2^31 bytes that kernels address of a buffer. Keeps products of extents, byte
// counts and operation counts far from overflow, too.
inline constexpr int64_t kMaxTensorElements = (int64_t{1} << 29) - 1;

// InvalidArgument unless every extent is at least 1 and the number of elements
// at most kMaxTensorElements.
absl::Status CheckShape(absl::Span<const int64_t> shape);

// The product of the extents; 1 for a scalar. The shape has passed CheckShape.
int64_t NumElements(absl::Span<const int64_t> shape);

// The same, for counting operations.
inline double NumElementsAsDouble(absl::Span<const int64_t> shape) {
  return static_cast<double>(NumElements(shape));
}

// "{1, 56, 56, 64}".
std::string ShapeText(absl::Span<const int64_t> shape);

}  // namespace pruner

#endif  // MODELS_OPERATORS_SHAPE_H_
