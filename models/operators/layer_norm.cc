#include "models/operators/layer_norm.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

absl::StatusOr<Shape> InferNormShape(Shapes inputs,
                                     absl::Span<const absl::string_view> roles,
                                     int64_t axis, double epsilon) {
  const Shape& input = inputs[0];
  const auto rank = static_cast<int64_t>(input.size());
  if (rank == 0) return Invalid("input must have at least 1 dimension");
  RETURN_IF_ERROR(CheckRange("axis", axis, 0, rank - 1));
  RETURN_IF_ERROR(CheckFinite("epsilon", epsilon));
  // Of what is constant, the deviation is 0.
  if (static_cast<float>(epsilon) <= 0)
    return Invalid("epsilon = ", epsilon, " is not positive");
  const Shape normalized(input.begin() + axis, input.end());
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == normalized) continue;
    return Invalid(roles[i], " must have shape ", ShapeText(normalized),
                   ", not ", ShapeText(inputs[i]));
  }
  return input;
}

// Sets output[i] = (input[i] - mean) / sqrt(variance + epsilon), less no mean
// unless `centered`; then scaled by inputs[1] and shifted by inputs[2], where
// there are these.
void EvaluateNorm(Arrays inputs, int64_t axis, double epsilon, bool centered,
                  Array& output) {
  const int64_t length = LineLength(output.shape, axis);
  const int64_t lines = NumElements(output.shape) / length;
  for (int64_t line = 0; line < lines; ++line) {
    const double* x = &inputs[0]->values[line * length];
    double mean = 0, squares = 0;
    for (int64_t k = 0; centered && k < length; ++k)
      mean += x[k] / static_cast<double>(length);
    for (int64_t k = 0; k < length; ++k)
      squares += (x[k] - mean) * (x[k] - mean);
    const double deviation =
        std::sqrt(squares / static_cast<double>(length) + epsilon);
    for (int64_t k = 0; k < length; ++k) {
      double value = (x[k] - mean) / deviation;
      if (inputs.size() > 1) value *= inputs[1]->values[k];
      if (inputs.size() > 2) value += inputs[2]->values[k];
      output.values[line * length + k] = value;
    }
  }
}

// Loops k within what is normalized together and o, if there is more than one
// of these.
struct Lines {
  OutputLoops loops;
  std::vector<Var> line;  // the loops but k

  std::vector<Expr> At(const Expr& k) const {
    std::vector<Expr> indices = {k};
    indices.insert(indices.end(), line.begin(), line.end());
    return indices;
  }
};

Lines MakeLines(const Shape& shape, int64_t axis) {
  const int64_t length = LineLength(shape, axis);
  const Var k("k"), o("o");
  Lines lines;
  lines.loops = {
      .vars = {k},
      .shape = {length},
      .channel = length == shape.back() ? Expr(k) : k % ToExpr(shape.back())};
  if (axis > 0) {
    lines.line.push_back(o);
    lines.loops.vars.push_back(o);
    lines.loops.shape.insert(lines.loops.shape.begin(),
                             NumElements(shape) / length);
  }
  return lines;
}

// A normalization by a mean of squares, without parameters.
Emitted EmitNorm(AnchorEmitter& emitter, int64_t axis, double epsilon,
                 bool centered) {
  const Lines lines = MakeLines(emitter.OutputShape(), axis);
  const TensorParameter input = emitter.Input(0, lines.loops.shape);
  const int64_t length = lines.loops.shape.back();
  const Expr scale = FloatExpr(1.0 / static_cast<double>(length));
  const Halide::RDom r = NamedRDom({{"rk", length}});
  Func sum = NamedFunc("sum");
  if (centered) {
    sum(lines.line) = 0.0f;
    sum(lines.line) += input(lines.At(r.x));
  }
  const auto deviation = [&](const Expr& k) -> Expr {
    const Expr value = input(lines.At(k));
    return centered ? value - sum(lines.line) * scale : value;
  };
  // Of differences, not a difference of squares, which rounding leaves nothing
  // of where the mean is large.
  Func squares = NamedFunc("squares");
  squares(lines.line) = 0.0f;
  squares(lines.line) += deviation(r.x) * deviation(r.x);
  const Expr variance = squares(lines.line) * scale;
  return {.value = deviation(lines.loops.vars[0]) /
                   Halide::sqrt(variance + FloatExpr(epsilon)),
          .loops = lines.loops};
}

// The element of a parameter that belongs to that of the output.
Expr ParameterAt(AnchorEmitter& emitter, int index, const OutputLoops& loops) {
  return emitter.Input(index, {loops.shape.back()})({loops.vars[0]});
}

}  // namespace

absl::StatusOr<Shape> LayerNorm::InferShape(Shapes inputs) const {
  return InferNormShape(inputs, kKind.roles, axis, epsilon);
}

// A sum, then a difference, a square and a sum, then a difference, a quotient,
// a product and a sum; of roots there are few.
double LayerNorm::CountFlops(Shapes, const Shape& output) const {
  return 8.0 * NumElementsAsDouble(output);
}

void LayerNorm::Evaluate(Arrays inputs, int, Array& output) const {
  EvaluateNorm(inputs, axis, epsilon, /*centered=*/true, output);
}

Emitted LayerNorm::Emit(AnchorEmitter& emitter) const {
  Emitted emitted = EmitNorm(emitter, axis, epsilon, /*centered=*/true);
  emitted.value = emitted.value * ParameterAt(emitter, 1, emitted.loops) +
                  ParameterAt(emitter, 2, emitted.loops);
  return emitted;
}

absl::StatusOr<Shape> RmsNorm::InferShape(Shapes inputs) const {
  return InferNormShape(inputs, kKind.roles, axis, epsilon);
}

double RmsNorm::CountFlops(Shapes, const Shape& output) const {
  return 4.0 * NumElementsAsDouble(output);
}

void RmsNorm::Evaluate(Arrays inputs, int, Array& output) const {
  EvaluateNorm(inputs, axis, epsilon, /*centered=*/false, output);
}

Emitted RmsNorm::Emit(AnchorEmitter& emitter) const {
  Emitted emitted = EmitNorm(emitter, axis, epsilon, /*centered=*/false);
  emitted.value = emitted.value * ParameterAt(emitter, 1, emitted.loops);
  return emitted;
}

absl::StatusOr<Shape> Normalize::InferShape(Shapes inputs) const {
  return InferNormShape(inputs, kKind.roles, axis, epsilon);
}

double Normalize::CountFlops(Shapes, const Shape& output) const {
  return 6.0 * NumElementsAsDouble(output);
}

void Normalize::Evaluate(Arrays inputs, int, Array& output) const {
  EvaluateNorm(inputs, axis, epsilon, /*centered=*/true, output);
}

Emitted Normalize::Emit(AnchorEmitter& emitter) const {
  return EmitNorm(emitter, axis, epsilon, /*centered=*/true);
}

}  // namespace pruner
