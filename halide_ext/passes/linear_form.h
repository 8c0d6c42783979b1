// Integer expressions as sums of multiples, so that two which are equal look
// equal. Halide's simplifier often leaves ((a - b)*14 + (c + b*14)) standing.
#ifndef HALIDE_EXT_PASSES_LINEAR_FORM_H_
#define HALIDE_EXT_PASSES_LINEAR_FORM_H_

#include <cstdint>
#include <map>
#include <optional>

#include "Halide.h"

namespace pruner {

// constant + the sum of factor * term. Terms are no sums themselves: variables,
// quotients and remainders (of such sums), or whatever is not arithmetic. No
// factor is 0.
struct LinearForm {
  std::map<Halide::Expr, int64_t, Halide::Internal::IRDeepCompare> terms;
  int64_t constant = 0;
};

// Of an int32 without lets; anything else is one term. As Halide does, counts
// on sums and products not to overflow.
LinearForm LinearFormOf(const Halide::Expr& expr);

LinearForm Difference(const LinearForm& a, const LinearForm& b);

Halide::Expr ToExpr(const LinearForm& form);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_LINEAR_FORM_H_
