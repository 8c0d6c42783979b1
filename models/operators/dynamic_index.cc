#include "models/operators/dynamic_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "Halide.h"
#include "absl/status/status.h"
#include "models/operators/data_type.h"
#include "models/operators/shape_checks.h"

namespace pruner {

using Halide::Expr;

absl::Status CheckAreIndices(DataTypes inputs, size_t index) {
  if (inputs[index] == DataType::kInt64) return absl::OkStatus();
  return Invalid("input ", index, " is ", DataTypeName(inputs[index]),
                 "; it must be int64");
}

int64_t PositionAt(double index, int64_t extent) {
  const auto size = static_cast<double>(extent);
  return static_cast<int64_t>(
      std::clamp(index < 0 ? index + size : index, 0.0, size - 1));
}

Expr PositionAt(const Expr& index, int64_t extent) {
  const Expr size = Halide::Internal::make_const(index.type(), extent);
  return Halide::cast<int32_t>(
      Halide::clamp(Halide::select(index < 0, index + size, index), 0,
                    Halide::Internal::make_const(index.type(), extent - 1)));
}

}  // namespace pruner
