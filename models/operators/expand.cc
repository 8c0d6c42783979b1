#include "models/operators/expand.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/broadcast.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> Expand::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckShape(shape));
  return BroadcastShape({inputs[0], shape});
}

void Expand::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachBroadcast({inputs[0]->shape}, output.shape,
                   [&](int64_t i, absl::Span<const int64_t> at) {
                     output.values[i] = inputs[0]->values[at[0]];
                   });
}

Emitted Expand::Emit(AnchorEmitter& emitter) const {
  const Shape& output = emitter.OutputShape();
  const Shape input = WithRank(emitter.InputShape(0), output.size());
  constexpr int64_t kKept = 0, kRepeated = 1;
  std::vector<int64_t> marks;
  for (size_t d = 0; d < output.size(); ++d) {
    marks.push_back(output[d] == 1          ? kAnyMark
                    : input[d] == output[d] ? kKept
                                            : kRepeated);
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  const Shape extents = GroupedShape(output, groups);
  const GroupLoops out = LoopOverGroups(extents, output);
  Shape input_shape;
  std::vector<Halide::Expr> at;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].mark != kKept) continue;
    input_shape.push_back(extents[g]);
    at.push_back(out.at[g]);
  }
  if (at.empty()) {
    input_shape = {1};
    at = {0};
  }
  return {.value = ReadAt(emitter.Input(0, input_shape), at),
          .loops = out.loops};
}

}  // namespace pruner
