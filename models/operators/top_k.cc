#include "models/operators/top_k.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "Halide.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

// What both operators have in common; Op is one of them.
template <typename Op>
absl::StatusOr<Shape> InferTopShape(const Op& op, Shapes inputs) {
  Shape output = inputs[0];
  RETURN_IF_ERROR(
      CheckRange("axis", op.axis, 0, static_cast<int64_t>(output.size()) - 1));
  RETURN_IF_ERROR(CheckRange("k", op.k, 1, output[op.axis]));
  output[op.axis] = op.k;
  return output;
}

template <typename Op>
double CountTopFlops(const Op& op, Shapes inputs, const Shape& output) {
  const auto extent = static_cast<double>(inputs[0][op.axis]);
  return extent *
         (NumElementsAsDouble(inputs[0]) + NumElementsAsDouble(output));
}

// Calls visit(the output's element, the input's, its index along the axis).
template <typename Op>
void ForEachTop(const Op& op, const Array& input, const Array& output,
                absl::FunctionRef<void(int64_t, double, int64_t)> visit) {
  const AxisSplit from = SplitAt(input.shape, op.axis);
  const AxisSplit to = SplitAt(output.shape, op.axis);
  std::vector<int64_t> order(from.extent);
  for (int64_t line = 0; line < from.outer * from.inner; ++line) {
    const int64_t o = line / from.inner, i = line % from.inner;
    const double* first = &input.values[o * from.extent * from.inner + i];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const double x = first[a * from.inner], y = first[b * from.inner];
      return op.largest ? x > y : x < y;
    });
    for (int64_t p = 0; p < to.extent; ++p) {
      visit((o * to.extent + p) * to.inner + i, first[order[p] * from.inner],
            order[p]);
    }
  }
}

// An element's place is how many come before it; an element of the output is
// the sum of those with its place, of which there is one.
template <typename Op>
Emitted EmitTop(const Op& op, AnchorEmitter& emitter, bool is_index) {
  const AxisSplit split = SplitAt(emitter.InputShape(0), op.axis);
  const GroupLoops out =
      LoopOverGroups({split.outer, op.k, split.inner}, emitter.OutputShape());
  const TensorParameter input =
      emitter.Input(0, {split.outer, split.extent, split.inner});
  const Halide::Var o("o"), k("k"), i("i");

  const Halide::RDom other = NamedRDom({{"rj", split.extent}});
  const Expr x = ReadAt(input, {o, k, i});
  const Expr y = ReadAt(input, {o, other.x, i});
  const Expr is_before =
      (op.largest ? y > x : y < x) || (y == x && other.x < k);
  Halide::Func place = NamedFunc("place");
  place(i, k, o) = 0;
  place(i, k, o) += Halide::cast<int32_t>(is_before);

  const Halide::RDom r = NamedRDom({{"rk", split.extent}});
  const std::vector<Halide::Var>& vars = out.loops.vars;
  const Expr candidate =
      is_index ? Expr(r.x) : ReadAt(input, {out.at[0], r.x, out.at[2]});
  const Expr zero = Halide::Internal::make_zero(candidate.type());
  Halide::Func top = NamedFunc("top");
  top(vars) = zero;
  top(vars) += Halide::select(place(out.at[2], r.x, out.at[0]) == out.at[1],
                              candidate, zero);
  return {
      .value = is_index ? Halide::cast<int64_t>(top(vars)) : Expr(top(vars)),
      .loops = out.loops};
}

}  // namespace

absl::StatusOr<Shape> TopKValues::InferShape(Shapes inputs) const {
  return InferTopShape(*this, inputs);
}

double TopKValues::CountFlops(Shapes inputs, const Shape& output) const {
  return CountTopFlops(*this, inputs, output);
}

void TopKValues::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachTop(*this, *inputs[0], output, [&](int64_t at, double value, int64_t) {
    output.values[at] = value;
  });
}

Emitted TopKValues::Emit(AnchorEmitter& emitter) const {
  return EmitTop(*this, emitter, /*is_index=*/false);
}

absl::StatusOr<DataType> TopKIndices::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(NumberType(inputs).status());
  return DataType::kInt64;
}

absl::StatusOr<Shape> TopKIndices::InferShape(Shapes inputs) const {
  return InferTopShape(*this, inputs);
}

double TopKIndices::CountFlops(Shapes inputs, const Shape& output) const {
  return CountTopFlops(*this, inputs, output);
}

void TopKIndices::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachTop(*this, *inputs[0], output, [&](int64_t at, double, int64_t index) {
    output.values[at] = static_cast<double>(index);
  });
}

Emitted TopKIndices::Emit(AnchorEmitter& emitter) const {
  return EmitTop(*this, emitter, /*is_index=*/true);
}

}  // namespace pruner
