#include "models/operators/trilu.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<Shape> Trilu::InferShape(Shapes inputs) const {
  if (inputs[0].size() < 2)
    return Invalid("input must have at least 2 dimensions");
  return inputs[0];
}

void Trilu::Evaluate(Arrays inputs, int, Array& output) const {
  const int64_t columns = output.shape.back();
  const int64_t rows = output.shape[output.shape.size() - 2];
  for (size_t i = 0; i < output.values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t diagonal = at % columns - at / columns % rows;
    const bool is_kept = upper ? diagonal >= k : diagonal <= k;
    output.values[i] = is_kept ? inputs[0]->values[i] : 0;
  }
}

Emitted Trilu::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.OutputShape();
  const size_t row = shape.size() - 2;
  const Shape groups = {NumElements(absl::MakeConstSpan(shape).first(row)),
                        shape[row], shape.back()};
  const GroupLoops out = LoopOverGroups(groups, shape);
  const Expr x = ReadAt(emitter.Input(0, groups), out.at);
  const Expr diagonal = out.at[2] - out.at[1];
  // Beyond the matrix every diagonal is alike.
  const Expr limit =
      ToExpr(std::clamp<int64_t>(k, -kMaxAttribute, kMaxAttribute));
  return {.value = Halide::select(upper ? diagonal >= limit : diagonal <= limit,
                                  x, Halide::Internal::make_zero(x.type())),
          .loops = out.loops};
}

}  // namespace pruner
