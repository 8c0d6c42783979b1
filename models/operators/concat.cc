#include "models/operators/concat.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
namespace {

using Halide::Expr;

// The largest number of elements that lie together in the output and in one
// input, wherever they begin; 1 if these are too few for vectors.
int64_t BlockLength(const AnchorEmitter& emitter, int64_t axis, int64_t count,
                    int64_t inner) {
  int64_t length = 0;
  for (int64_t i = 0, begin = 0; begin < count; ++i) {
    const int64_t extent = emitter.InputShape(static_cast<int>(i))[axis];
    length = std::gcd(length, extent * inner);
    begin += extent;
  }
  constexpr int64_t kShortest = 8;
  return length < kShortest ? 1 : length;
}

// The parts [first, end), chosen by where they begin: halves of halves, since
// expressions are walked recursively and there may be many parts.
Expr Choose(const Expr& position, const std::vector<int64_t>& begins,
            const std::vector<Expr>& parts, size_t first, size_t end) {
  if (first + 1 == end) return parts[first];
  const size_t middle = (first + end) / 2;
  return Halide::select(position < ToExpr(begins[middle]),
                        Choose(position, begins, parts, first, middle),
                        Choose(position, begins, parts, middle, end));
}

}  // namespace

absl::StatusOr<Shape> Concat::InferShape(Shapes inputs) const {
  Shape output = inputs[0];
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(output.size()) - 1));
  for (size_t i = 1; i < inputs.size(); ++i) {
    Shape fitting = inputs[i];
    if (fitting.size() == output.size()) fitting[axis] = inputs[0][axis];
    if (fitting != inputs[0]) {
      return Invalid("input ", i, " of shape ", ShapeText(inputs[i]),
                     " differs from ", ShapeText(inputs[0]),
                     " not only in dimension ", axis);
    }
    output[axis] += inputs[i][axis];
  }
  return output;
}

void Concat::Evaluate(Arrays inputs, int, Array& output) const {
  const AxisSplit all = SplitAt(output.shape, axis);
  auto to = output.values.begin();
  for (int64_t o = 0; o < all.outer; ++o) {
    for (const Array* input : inputs) {
      const int64_t count = input->shape[axis] * all.inner;
      to = std::copy_n(input->values.begin() + o * count, count, to);
    }
  }
}

Emitted Concat::Emit(AnchorEmitter& emitter) const {
  // Of an input what is at the axis and behind it lies together.
  const Shape& output = emitter.OutputShape();
  const AxisSplit all = SplitAt(output, axis);
  const int64_t block = BlockLength(emitter, axis, all.extent, all.inner);
  const int64_t blocks = all.extent * all.inner / block;
  // Which input is read does not change in the loop over a block's elements,
  // whose vectors are therefore vectors in memory as well.
  const GroupLoops out = LoopOverGroups({all.outer, blocks, block}, output);
  std::vector<int64_t> begins;
  std::vector<Expr> parts;
  int64_t begin = 0;
  for (int i = 0; begin < blocks; ++i) {
    const int64_t count = emitter.InputShape(i)[axis] * all.inner / block;
    const TensorParameter input = emitter.Input(i, {all.outer, count, block});
    const Expr index =
        Halide::clamp(out.at[1] - ToExpr(begin), 0, ToExpr(count - 1));
    parts.push_back(ReadAt(input, {out.at[0], index, out.at[2]}));
    begins.push_back(begin);
    begin += count;
  }
  return {.value = Choose(out.at[1], begins, parts, 0, parts.size()),
          .loops = out.loops};
}

}  // namespace pruner
