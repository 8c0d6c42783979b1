#include "models/operators/global_avg_pool.h"

#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/global_pool.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

absl::StatusOr<Shape> GlobalAvgPool::InferShape(Shapes inputs) const {
  return InferGlobalPoolShape(inputs[0]);
}

double GlobalAvgPool::CountFlops(Shapes inputs, const Shape&) const {
  return NumElementsAsDouble(inputs[0]);
}

void GlobalAvgPool::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachImageChannel(
      *inputs[0], output,
      [](const double* first, int64_t pixels, int64_t channels) {
        double sum = 0;
        for (int64_t i = 0; i < pixels; ++i) sum += first[i * channels];
        return sum / static_cast<double>(pixels);
      });
}

Emitted GlobalAvgPool::Emit(AnchorEmitter& emitter) const {
  const Shape shape = AsImage(emitter.InputShape(0));
  const int64_t height = shape[1], width = shape[2];
  const TensorParameter input = emitter.Input(0, shape);
  const OutputLoops loops = ImageLoops(AsImage(emitter.OutputShape()));
  const Halide::RDom r = NamedRDom({{"rx", width}, {"ry", height}});
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = 0.0f;
  pool(loops.vars) += input({loops.vars[0], r.x, r.y, loops.vars[3]});
  const float scale = 1.0f / static_cast<float>(height * width);
  return {.value = pool(loops.vars) * Halide::Expr(scale), .loops = loops};
}

}  // namespace pruner
