// Operands of different shapes, as NumPy broadcasts them: aligned at the
// innermost dimension, extents of 1 repeat.
#ifndef MODELS_OPERATORS_BROADCAST_H_
#define MODELS_OPERATORS_BROADCAST_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// The shape of the result; InvalidArgument, naming both shapes, if they do not
// fit together.
absl::StatusOr<Shape> BroadcastShape(Shapes operands);

// `shape` with extents of 1 put before it, up to `rank` dimensions.
Shape WithRank(const Shape& shape, size_t rank);

// Calls visit(index of the output's element, indices of the operands'
// elements) for each element of the output, in row-major order.
void ForEachBroadcast(
    Shapes operands, const Shape& output,
    absl::FunctionRef<void(int64_t, absl::Span<const int64_t>)> visit);

}  // namespace pruner

#endif  // MODELS_OPERATORS_BROADCAST_H_
