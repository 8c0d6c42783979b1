// Where the elements of an operand are, seen from the loops of a kernel.
#ifndef MODELS_OPS_OPERAND_ACCESS_H_
#define MODELS_OPS_OPERAND_ACCESS_H_

#include <vector>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/shape.h"

namespace pruner {

// A read of one element. The tensor's bytes are those of the operand, its
// dimensions are grouped as the loops allow.
struct OperandAccess {
  Shape shape;                        // outermost first
  std::vector<Halide::Expr> indices;  // innermost first
};

// The element of `operand`, which broadcasts to `output`, that belongs to an
// element of the output.
OperandAccess AccessOperand(const Shape& operand, const Shape& output,
                            const OutputLoops& loops);

// The loops of a kernel that is elementwise alone: the innermost dimension has
// one, and of the others those share one that all operands have, or that none
// of the two sides of a boundary repeats.
OutputLoops ElementwiseLoops(const Shape& output,
                             absl::Span<const Shape> operands);

}  // namespace pruner

#endif  // MODELS_OPS_OPERAND_ACCESS_H_
