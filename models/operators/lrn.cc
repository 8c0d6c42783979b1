#include "models/operators/lrn.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

using Halide::Expr;

absl::StatusOr<Shape> Lrn::InferShape(Shapes inputs) const {
  if (inputs[0].empty()) return Invalid("input must have a channel dimension");
  RETURN_IF_ERROR(CheckRange("size", size, 1, kMaxAttribute));
  RETURN_IF_ERROR(CheckFinite("alpha", alpha));
  RETURN_IF_ERROR(CheckFinite("beta", beta));
  RETURN_IF_ERROR(CheckFinite("bias", bias));
  // Powers of what is not positive are no numbers.
  if (alpha < 0) return Invalid("alpha = ", alpha, " is negative");
  if (static_cast<float>(bias) <= 0)
    return Invalid("bias = ", bias, " is not positive");
  return inputs[0];
}

// A square and a sum for each channel of the window; a product, a sum, a power,
// which is a logarithm, a product and an exponential, and a product.
double Lrn::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output) * (2.0 * static_cast<double>(size) + 6.0);
}

void Lrn::Evaluate(Arrays inputs, int, Array& output) const {
  const int64_t channels = output.shape.back();
  const int64_t pixels = NumElements(output.shape) / channels;
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    const double* x = &inputs[0]->values[pixel * channels];
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t first = c - (size - 1) / 2;
      double squares = 0;
      for (int64_t k = std::max<int64_t>(first, 0);
           k < std::min(first + size, channels); ++k) {
        squares += x[k] * x[k];
      }
      output.values[pixel * channels + c] =
          x[c] /
          std::pow(bias + alpha / static_cast<double>(size) * squares, beta);
    }
  }
}

Emitted Lrn::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.OutputShape();
  const int64_t channels = shape.back();
  const Halide::Var c("c"), m("m");
  OutputLoops loops = {.vars = {c}, .shape = {channels}, .channel = c};
  if (shape.size() > 1) {
    loops.vars.push_back(m);
    loops.shape = {NumElements(shape) / channels, channels};
  }
  const TensorParameter input = emitter.Input(0, loops.shape);
  const std::vector<Expr> here(loops.vars.begin(), loops.vars.end());
  const Halide::RDom r = NamedRDom({{"rk", size}});
  const Expr neighbour = c + r.x - ToExpr((size - 1) / 2);
  std::vector<Expr> there = here;
  there[0] = Halide::clamp(neighbour, 0, ToExpr(channels - 1));
  Halide::Func squares = NamedFunc("squares");
  squares(loops.vars) = 0.0f;
  squares(loops.vars) +=
      Halide::select(neighbour >= 0 && neighbour < ToExpr(channels),
                     input(there) * input(there), 0.0f);
  const Expr base =
      FloatExpr(bias) +
      FloatExpr(alpha / static_cast<double>(size)) * squares(loops.vars);
  return {.value = input(here) * Halide::pow(base, FloatExpr(-beta)),
          .loops = loops};
}

}  // namespace pruner
