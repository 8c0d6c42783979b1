// Normalized exponentials.
#include <cstddef>
#include <vector>

#include "models/ops/anchors.h"

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
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
    if (d < axis) outer *= shape[d];
    if (d > axis) inner *= shape[d];
  }
  const Var i("i"), k("k"), o("o");
  const bool is_innermost = axis + 1 == static_cast<int64_t>(shape.size());
  Lines lines;
  if (!is_innermost) {
    lines.loops.vars.push_back(i);
    lines.line.push_back(i);
    lines.axis = 1;
  }
  lines.loops.vars.push_back(k);
  lines.loops.shape =
      is_innermost ? Shape{shape[axis]} : Shape{shape[axis], inner};
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

OpPipeline BuildAnchor(const Softmax& op, PipelineBuilder& builder) {
  const Shape& shape = builder.OutputShape();
  const Lines lines = MakeLines(shape, op.axis);
  const std::vector<Var>& all = lines.loops.vars;
  const TensorParameter input = builder.AnchorInput(0, lines.loops.shape);
  const Halide::RDom r = NamedRDom({{"rk", shape[op.axis]}});

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
  return builder.Finish(1, exponential(all) / sum(lines.line), lines.loops);
}

}  // namespace pruner
