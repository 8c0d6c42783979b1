// Turns index expressions of Halide calls into the affine form that a
// ComputeDag holds.
#ifndef HALIDE_EXT_ANALYZE_INDEX_EXPR_H_
#define HALIDE_EXT_ANALYZE_INDEX_EXPR_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// What a Halide variable is in the stage that reads.
struct AxisVariable {
  int axis = 0;
  int64_t min = 0;  // the variable's smallest value; the axis starts at 0
  bool is_reduction = false;
};
using AxisVariables = std::map<std::string, AxisVariable>;

// The index as a function of the axes, relative to `dimension_min`. One that is
// affine and divided but for a remainder, such as x / 2 - 1 + 2 * (x % 2), is
// its smallest and its largest value, in this order; and so is one that is
// affine but for data clamped to constants, such as y + clamp(table(k), -2, 3),
// if the data are the same for all elements of a vector along the innermost
// dimension. What is not affine, possibly clamped, divided or taken modulo a
// constant, becomes opaque.
std::vector<IndexExpr> ToIndexExprs(const Halide::Expr& index,
                                    const AxisVariables& variables,
                                    int64_t dimension_min);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_INDEX_EXPR_H_
