// Exponentials near 1.
#ifndef MODELS_OPERATORS_EXPM1_H_
#define MODELS_OPERATORS_EXPM1_H_

#include "Halide.h"

namespace pruner {

// exp(x) - 1, of a float, with a relative error of some roundings also where
// the difference would cancel.
Halide::Expr Expm1(const Halide::Expr& x);

}  // namespace pruner

#endif  // MODELS_OPERATORS_EXPM1_H_
