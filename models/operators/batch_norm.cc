#include "models/operators/batch_norm.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> BatchNorm::InferShape(Shapes inputs) const {
  for (size_t i = 1; i < inputs.size(); ++i) {
    RETURN_IF_ERROR(CheckChannels(kKind.roles[i], inputs[i], inputs[0]));
  }
  if (!std::isfinite(epsilon) || epsilon < 0) {
    return Invalid("epsilon = ", epsilon, " is not a number of at least 0");
  }
  return inputs[0];
}

double BatchNorm::CountFlops(Shapes, const Shape& output) const {
  return 2.0 * NumElementsAsDouble(output);
}

void BatchNorm::Evaluate(Arrays inputs, int, Array& output) const {
  const int64_t channels = output.shape.back();
  for (size_t i = 0; i < output.values.size(); ++i) {
    const int64_t c = static_cast<int64_t>(i) % channels;
    const double scale = inputs[1]->values[c], shift = inputs[2]->values[c];
    const double mean = inputs[3]->values[c], variance = inputs[4]->values[c];
    output.values[i] =
        (inputs[0]->values[i] - mean) / std::sqrt(variance + epsilon) * scale +
        shift;
  }
}

Halide::Expr BatchNorm::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr deviation =
      Halide::sqrt(operands[4] + Halide::Expr(static_cast<float>(epsilon)));
  return (operands[0] - operands[3]) / deviation * operands[1] + operands[2];
}

}  // namespace pruner
