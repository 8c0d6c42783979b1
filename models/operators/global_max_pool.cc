#include "models/operators/global_max_pool.h"

#include <algorithm>
#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/operators/emission.h"
#include "models/operators/global_pool.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

absl::StatusOr<Shape> GlobalMaxPool::InferShape(Shapes inputs) const {
  return InferGlobalPoolShape(inputs[0]);
}

double GlobalMaxPool::CountFlops(Shapes inputs, const Shape&) const {
  return NumElementsAsDouble(inputs[0]);
}

void GlobalMaxPool::Evaluate(Arrays inputs, int, Array& output) const {
  ForEachImageChannel(
      *inputs[0], output,
      [](const double* first, int64_t pixels, int64_t channels) {
        double largest = *first;
        for (int64_t i = 1; i < pixels; ++i)
          largest = std::max(largest, first[i * channels]);
        return largest;
      });
}

Emitted GlobalMaxPool::Emit(AnchorEmitter& emitter) const {
  const Shape shape = AsImage(emitter.InputShape(0));
  const TensorParameter input = emitter.Input(0, shape);
  const OutputLoops loops = ImageLoops(AsImage(emitter.OutputShape()));
  const Halide::RDom r = NamedRDom({{"rx", shape[2]}, {"ry", shape[1]}});
  Halide::Func pool = NamedFunc("pool");
  pool(loops.vars) = LowestFloat();
  pool(loops.vars) = Halide::max(
      pool(loops.vars), input({loops.vars[0], r.x, r.y, loops.vars[3]}));
  return {.value = pool(loops.vars), .loops = loops};
}

}  // namespace pruner
