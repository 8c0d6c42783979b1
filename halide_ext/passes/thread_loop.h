// The loops of a lowered statement that run as the threads of a GPU block.
#ifndef HALIDE_EXT_PASSES_THREAD_LOOP_H_
#define HALIDE_EXT_PASSES_THREAD_LOOP_H_

#include <optional>
#include <string>

#include "Halide.h"
#include "halide_ext/passes/let_values.h"

namespace pruner {

// A loop over the threads of a GPU block.
struct ThreadLoop {
  std::string name;
  Halide::Expr min;
  Halide::Expr extent;
};

// `loop` as such, if it is one. `lets` are those in scope.
inline std::optional<ThreadLoop> ThreadLoopOf(const Halide::Internal::For& loop,
                                              const LetValues& lets) {
  namespace ir = Halide::Internal;
  if (loop.for_type != ir::ForType::GPUThread &&
      loop.for_type != ir::ForType::GPULane) {
    return std::nullopt;
  }
  return ThreadLoop{.name = loop.name,
                    .min = ir::simplify(lets.Expand(loop.min)),
                    .extent = ir::simplify(lets.Expand(loop.extent))};
}

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_THREAD_LOOP_H_
