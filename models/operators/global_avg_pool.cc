#include "models/operators/global_avg_pool.h"

#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> GlobalAvgPool::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckRank("input", inputs[0], 4));
  return Shape{inputs[0][0], 1, 1, inputs[0][3]};
}

double GlobalAvgPool::CountFlops(Shapes inputs, const Shape&) const {
  return NumElementsAsDouble(inputs[0]);
}

void GlobalAvgPool::Evaluate(Arrays inputs, int, Array& output) const {
  const Shape& shape = inputs[0]->shape;
  const int64_t pixels = shape[1] * shape[2], channels = shape[3];
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < pixels; ++i) {
        sum += inputs[0]->values[(n * pixels + i) * channels + c];
      }
      output.values[n * channels + c] = sum / static_cast<double>(pixels);
    }
  }
}

Emitted GlobalAvgPool::Emit(AnchorEmitter& emitter) const {
  const Shape& shape = emitter.InputShape(0);
  const int64_t height = shape[1], width = shape[2];
  const TensorParameter input = emitter.Input(0, shape);
  const OutputLoops loops = ImageLoops(emitter.OutputShape());
  const Halide::RDom r = NamedRDom({{"rx", width}, {"ry", height}});
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = 0.0f;
  pool(loops.vars) += input({loops.vars[0], r.x, r.y, loops.vars[3]});
  const float scale = 1.0f / static_cast<float>(height * width);
  return {.value = pool(loops.vars) * Halide::Expr(scale), .loops = loops};
}

}  // namespace pruner
