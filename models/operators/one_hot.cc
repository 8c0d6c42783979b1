#include "models/operators/one_hot.h"

#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/dynamic_index.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<DataType> OneHot::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckAreIndices(inputs, 0));
  return inputs[1];
}

absl::StatusOr<Shape> OneHot::InferShape(Shapes inputs) const {
  Shape output = inputs[0];
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(output.size())));
  RETURN_IF_ERROR(CheckRange("depth", depth, 1, kMaxAttribute));
  if (inputs[1] != Shape{2})
    return Invalid("values must have shape {2}, not ", ShapeText(inputs[1]));
  output.insert(output.begin() + axis, depth);
  return output;
}

void OneHot::Evaluate(Arrays inputs, int, Array& output) const {
  const AxisSplit split = SplitAt(output.shape, axis);
  const auto size = static_cast<double>(depth);
  auto to = output.values.begin();
  for (int64_t o = 0; o < split.outer; ++o) {
    for (int64_t d = 0; d < depth; ++d) {
      for (int64_t i = 0; i < split.inner; ++i) {
        double index = inputs[0]->values[o * split.inner + i];
        if (index < 0) index += size;
        *to++ = inputs[1]->values[index == static_cast<double>(d) ? 1 : 0];
      }
    }
  }
}

Emitted OneHot::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.OutputShape();
  const AxisSplit split = SplitAt(shape, axis);
  const GroupLoops out =
      LoopOverGroups({split.outer, split.extent, split.inner}, shape);
  const Expr index = ReadAt(emitter.Input(0, {split.outer, split.inner}),
                            {out.at[0], out.at[2]});
  const Expr from_start = Halide::select(index < 0, index + Expr(depth), index);
  const TensorParameter values = emitter.Input(1, {2});
  return {
      .value = Halide::select(from_start == Halide::cast<int64_t>(out.at[1]),
                              values({Expr(1)}), values({Expr(0)})),
      .loops = out.loops};
}

}  // namespace pruner
