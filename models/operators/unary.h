// What elementwise operators of one input share.
#ifndef MODELS_OPERATORS_UNARY_H_
#define MODELS_OPERATORS_UNARY_H_

#include <cmath>
#include <cstddef>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape_checks.h"

namespace pruner {

// Sets every element to function(the input's).
template <typename Function>
void ForElements(const Array& input, Array& output, const Function& function) {
  for (size_t i = 0; i < output.values.size(); ++i)
    output.values[i] = function(input.values[i]);
}

// An attribute in the arithmetic of kernels.
inline Halide::Expr FloatExpr(double value) {
  return Halide::Expr(static_cast<float>(value));
}

// Kernels have no infinities: Halide lets LLVM assume that there are none.
inline absl::Status CheckFinite(absl::string_view attribute, double value) {
  if (std::isfinite(static_cast<float>(value))) return absl::OkStatus();
  return Invalid(attribute, " = ", value, " is no finite number");
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_UNARY_H_
