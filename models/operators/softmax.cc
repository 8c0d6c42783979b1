#include "models/operators/softmax.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Var;

// The lines along which a softmax normalizes, as loops: i within the dimensions
// behind the axis, k along it, o outside. What has no extent has no loop, but
// one of rank 1 has k alone, as its parameters per channel do.
struct Lines {
  OutputLoops loops;      // k is one of them
  std::vector<Var> line;  // the loops but k
  size_t axis = 0;        // of k, from the innermost loop

  // The element of this line at position `k`.
  std::vector<Expr> At(const Expr& k) const {
    std::vector<Expr> indices(loops.vars.begin(), loops.vars.end());
    indices[axis] = k;
    return indices;
  }
};

Lines MakeLines(const Shape& shape, int64_t axis) {
  const auto [outer, extent, inner] = SplitAt(shape, axis);
  const Var i("i"), k("k"), o("o");
  const bool is_innermost = axis + 1 == static_cast<int64_t>(shape.size());
  Lines lines;
  if (!is_innermost) {
    lines.loops.vars.push_back(i);
    lines.line.push_back(i);
    lines.axis = 1;
  }
  lines.loops.vars.push_back(k);
  lines.loops.shape = is_innermost ? Shape{extent} : Shape{extent, inner};
  if (axis > 0) {
    lines.loops.vars.push_back(o);
    lines.line.push_back(o);
    lines.loops.shape.insert(lines.loops.shape.begin(), outer);
  }
  lines.loops.channel =
      is_innermost
          ? Expr(k)
          : (inner == shape.back() ? Expr(i) : i % ToExpr(shape.back()));
  return lines;
}

}  // namespace

absl::StatusOr<Shape> Softmax::InferShape(Shapes inputs) const {
  const auto rank = static_cast<int64_t>(inputs[0].size());
  if (rank == 0) return Invalid("input must have at least 1 dimension");
  RETURN_IF_ERROR(CheckRange("axis", axis, 0, rank - 1));
  return inputs[0];
}

double Softmax::CountFlops(Shapes, const Shape& output) const {
  return 5.0 * NumElementsAsDouble(output);
}

void Softmax::Evaluate(Arrays inputs, int, Array& output) const {
  const Shape& shape = output.shape;
  const auto [outer, extent, inner] = SplitAt(shape, axis);
  const int64_t lines = outer * inner;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t first = line / inner * inner * extent + line % inner;
    // Less the largest element, lest the exponentials overflow.
    double largest = inputs[0]->values[first];
    for (int64_t i = 0; i < extent; ++i) {
      largest = std::max(largest, inputs[0]->values[first + i * inner]);
    }
    double sum = 0;
    for (int64_t i = 0; i < extent; ++i) {
      const int64_t at = first + i * inner;
      output.values[at] = std::exp(inputs[0]->values[at] - largest);
      sum += output.values[at];
    }
    for (int64_t i = 0; i < extent; ++i)
      output.values[first + i * inner] /= sum;
  }
}

std::string Softmax::TaskAttributes(Shapes inputs) const {
  if (axis + 1 == static_cast<int64_t>(inputs[0].size())) return "";
  return absl::StrCat("_axis", axis);
}

Emitted Softmax::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.OutputShape();
  const Lines lines = MakeLines(shape, axis);
  const std::vector<Var>& all = lines.loops.vars;
  const TensorParameter input = emitter.Input(0, lines.loops.shape);
  const Halide::RDom r = NamedRDom({{"rk", shape[axis]}});

  // Less the largest element, lest the exponentials overflow.
  Halide::Func largest = NamedFunc("largest");
  largest(lines.line) = LowestFloat();
  largest(lines.line) = Halide::max(largest(lines.line), input(lines.At(r.x)));
  Halide::Func exponential = NamedFunc("exponential");
  exponential(all) =
      Halide::exp(input(lines.At(all[lines.axis])) - largest(lines.line));
  Halide::Func sum = NamedFunc("sum");
  sum(lines.line) = 0.0f;
  sum(lines.line) += exponential(lines.At(r.x));
  return {.value = exponential(all) / sum(lines.line), .loops = lines.loops};
}

}  // namespace pruner
