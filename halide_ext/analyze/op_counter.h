// Counts the operations of an expression, for a ComputeDag's stages.
#ifndef HALIDE_EXT_ANALYZE_OP_COUNTER_H_
#define HALIDE_EXT_ANALYZE_OP_COUNTER_H_

#include "Halide.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Operations of one evaluation; index arithmetic of calls is not counted,
// shared subexpressions are counted once.
OpCounts CountOps(const Halide::Expr& e);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_OP_COUNTER_H_
