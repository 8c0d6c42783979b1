#include "models/operators/add.h"

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

Halide::Expr Add::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] + operands[1];
}

}  // namespace pruner
