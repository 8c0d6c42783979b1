// Indices that are elements of tensors: nobody knows before whether they are
// inside.
#ifndef MODELS_OPERATORS_DYNAMIC_INDEX_H_
#define MODELS_OPERATORS_DYNAMIC_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "Halide.h"
#include "absl/status/status.h"
#include "models/operators/data_type.h"

namespace pruner {

// InvalidArgument unless input `index` is int64.
absl::Status CheckAreIndices(DataTypes inputs, size_t index);

// The position among `extent` elements that an index names: negative ones count
// from the end, and what is outside is the nearest that is inside.
int64_t PositionAt(double index, int64_t extent);
Halide::Expr PositionAt(const Halide::Expr& index, int64_t extent);

}  // namespace pruner

#endif  // MODELS_OPERATORS_DYNAMIC_INDEX_H_
