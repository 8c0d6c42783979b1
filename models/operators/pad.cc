#include "models/operators/pad.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

// Where the element at `position` of an extended dimension comes from;
// positions count from the input's first element.
int64_t Source(const std::string& mode, int64_t position, int64_t extent) {
  if (mode == "wrap") return ((position % extent) + extent) % extent;
  if (mode == "reflect")
    position = extent - 1 - std::abs(extent - 1 - std::abs(position));
  return std::clamp<int64_t>(position, 0, extent - 1);
}

// Rounding up may lead beyond the border: what is not taken modulo is clamped.
Expr Source(const std::string& mode, const Expr& position, int64_t extent) {
  if (mode == "wrap") return position % ToExpr(extent);
  Expr inside = position;
  if (mode == "reflect") {
    const Expr last = ToExpr(extent - 1);
    inside = last - Halide::abs(last - Halide::abs(position));
    inside = Halide::cast<int32_t>(inside);
  }
  return Halide::clamp(inside, 0, ToExpr(extent - 1));
}

}  // namespace

absl::StatusOr<DataType> Pad::InferType(DataTypes inputs) const {
  // Whole numbers that doubles have.
  const double highest = inputs[0] == DataType::kBool ? 1 : 0x1p53;
  const double lowest = inputs[0] == DataType::kBool ? 0 : -0x1p53;
  const bool is_there =
      value == std::floor(value) && value >= lowest && value <= highest;
  if (inputs[0] != DataType::kFloat32 && !is_there)
    return Invalid("value = ", value, " is no ", DataTypeName(inputs[0]));
  return inputs[0];
}

absl::StatusOr<Shape> Pad::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const size_t rank = input.size();
  if (before.size() != rank || after.size() != rank) {
    return Invalid("before and after must have ", rank,
                   " numbers each, as the input has dimensions");
  }
  if (mode != "constant" && mode != "reflect" && mode != "edge" &&
      mode != "wrap") {
    return Invalid("mode \"", mode,
                   "\" is none of constant, reflect, edge and wrap");
  }
  RETURN_IF_ERROR(CheckFinite("value", value));
  Shape output;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t highest = mode == "reflect" ? input[d] - 1 : kMaxAttribute;
    RETURN_IF_ERROR(CheckRange("before", before[d], 0, highest));
    RETURN_IF_ERROR(CheckRange("after", after[d], 0, highest));
    output.push_back(before[d] + input[d] + after[d]);
  }
  return output;
}

void Pad::Evaluate(Arrays inputs, int, Array& output) const {
  const Array& input = *inputs[0];
  const std::vector<int64_t> strides = Strides(input.shape);
  ForEachIndex(output.shape, [&](int64_t i, absl::Span<const int64_t> index) {
    bool is_inside = true;
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t position = index[d] - before[d];
      is_inside &= position >= 0 && position < input.shape[d];
      from += Source(mode, position, input.shape[d]) * strides[d];
    }
    output.values[i] =
        is_inside || mode != "constant" ? input.values[from] : value;
  });
}

std::string Pad::TaskAttributes(Shapes) const {
  return mode == "constant" ? "" : absl::StrCat("_", mode);
}

Emitted Pad::Emit(AnchorEmitter& emitter) const {
  const Shape& input = emitter.InputShape(0);
  const Shape& output = emitter.OutputShape();
  constexpr int64_t kWhole = 0;
  std::vector<int64_t> marks;
  for (size_t d = 0; d < input.size(); ++d) {
    marks.push_back(output[d] == 1          ? kAnyMark
                    : output[d] == input[d] ? kWhole
                                            : static_cast<int64_t>(d) + 1);
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  const GroupLoops out = LoopOverGroups(GroupedShape(output, groups), output);
  Shape input_shape = GroupedShape(input, groups);
  std::vector<Expr> at = out.at;
  Expr inside = Halide::Internal::const_true();
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].mark <= kWhole) continue;
    const int64_t d = groups[g].mark - 1;
    const Expr position = at[g] - ToExpr(before[d]);
    if (before[d] > 0) inside = inside && position >= 0;
    if (after[d] > 0) inside = inside && position < ToExpr(input[d]);
    at[g] = Source(mode, position, input[d]);
  }
  if (at.empty()) {
    input_shape = {1};
    at = {0};
  }
  const Expr read = ReadAt(emitter.Input(0, input_shape), at);
  if (mode != "constant") return {.value = read, .loops = out.loops};
  const Expr border = Halide::Internal::make_const(read.type(), value);
  return {.value = Halide::select(inside, read, border), .loops = out.loops};
}

}  // namespace pruner
