#include "models/operators/cum_sum.h"

#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<Shape> CumSum::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(inputs[0].size()) - 1));
  return inputs[0];
}

double CumSum::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output);
}

void CumSum::Evaluate(Arrays inputs, int, Array& output) const {
  const AxisSplit split = SplitAt(output.shape, axis);
  for (int64_t line = 0; line < split.outer * split.inner; ++line) {
    const int64_t first =
        line / split.inner * split.extent * split.inner + line % split.inner;
    double sum = 0;
    for (int64_t k = 0; k < split.extent; ++k) {
      const int64_t i =
          first + (reverse ? split.extent - 1 - k : k) * split.inner;
      const double before = sum;
      sum += inputs[0]->values[i];
      output.values[i] = exclusive ? before : sum;
    }
  }
}

Emitted CumSum::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.OutputShape();
  const AxisSplit split = SplitAt(shape, axis);
  const Shape groups = {split.outer, split.extent, split.inner};
  const GroupLoops out = LoopOverGroups(groups, shape);
  const TensorParameter input = emitter.Input(0, groups);
  const Expr last = ToExpr(split.extent - 1);
  const Halide::Var o("o"), k("k"), i("i");

  // Position k of a line is its sum after as many steps.
  Halide::Func sums = NamedFunc("sums");
  const Expr step = Halide::clamp(exclusive ? k - 1 : Expr(k), 0, last);
  const Expr x = ReadAt(input, {o, reverse ? last - step : step, i});
  const Expr zero = Halide::Internal::make_zero(x.type());
  sums(i, k, o) = exclusive ? Halide::select(k == 0, zero, x) : x;
  if (split.extent > 1) {
    const Halide::RDom r = NamedRDom({{"rk", split.extent - 1}});
    sums(i, r.x + 1, o) += sums(i, r.x, o);
  }
  const Expr at = out.at[1];
  return {.value = sums(out.at[2], reverse ? last - at : at, out.at[0]),
          .loops = out.loops};
}

}  // namespace pruner
