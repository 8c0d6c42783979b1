#include "models/operators/slice.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<Shape> Slice::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const size_t rank = input.size();
  if (starts.size() != rank || extents.size() != rank || steps.size() != rank) {
    return Invalid("starts, extents and steps must have ", rank,
                   " numbers each, as the input has dimensions");
  }
  RETURN_IF_ERROR(CheckShape(extents));
  for (size_t d = 0; d < rank; ++d) {
    RETURN_IF_ERROR(
        CheckRange("steps", steps[d], -kMaxAttribute, kMaxAttribute));
    if (steps[d] == 0) return Invalid("steps of dimension ", d, " is 0");
    RETURN_IF_ERROR(CheckRange("starts", starts[d], 0, input[d] - 1));
    RETURN_IF_ERROR(CheckRange("the last element's index",
                               starts[d] + (extents[d] - 1) * steps[d], 0,
                               input[d] - 1));
  }
  return extents;
}

void Slice::Evaluate(Arrays inputs, int, Array& output) const {
  const std::vector<int64_t> strides = Strides(inputs[0]->shape);
  ForEachIndex(output.shape, [&](int64_t i, absl::Span<const int64_t> index) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d)
      from += (starts[d] + index[d] * steps[d]) * strides[d];
    output.values[i] = inputs[0]->values[from];
  });
}

Emitted Slice::Emit(AnchorEmitter& emitter) const {
  const Shape& input = emitter.InputShape(0);
  const Shape& output = emitter.OutputShape();
  // What is whole stays together.
  constexpr int64_t kWhole = 0;
  std::vector<int64_t> marks;
  for (size_t d = 0; d < input.size(); ++d) {
    const bool is_whole = output[d] == input[d] && steps[d] == 1;
    marks.push_back(input[d] == 1 ? kAnyMark
                    : is_whole    ? kWhole
                                  : static_cast<int64_t>(d) + 1);
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  const GroupLoops out = LoopOverGroups(GroupedShape(output, groups), output);
  Shape input_shape = GroupedShape(input, groups);
  std::vector<Expr> at = out.at;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].mark <= kWhole) continue;
    const int64_t d = groups[g].mark - 1;
    at[g] = at[g] * ToExpr(steps[d]) + ToExpr(starts[d]);
  }
  if (at.empty()) {
    input_shape = {1};
    at = {0};
  }
  return {.value = ReadAt(emitter.Input(0, input_shape), at),
          .loops = out.loops};
}

}  // namespace pruner
