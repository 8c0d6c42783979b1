#include "halide_ext/build/kernel_threads.h"

#include <atomic>
#include <cstdint>

#include "halide_ext/runtime/thread_pool.h"

namespace pruner {
namespace {

using Body = int (*)(Halide::JITUserContext*, int, uint8_t*);

// Of the process; it lives as long.
std::atomic<PrunerThreadPool*> pool = nullptr;

struct Loop {
  Halide::JITUserContext* context;
  Body body;
};

int RunIteration(void* context, int index, uint8_t* closure) {
  const auto* const loop = static_cast<const Loop*>(context);
  return loop->body(loop->context, index, closure);
}

int RunLoop(Halide::JITUserContext* context, Body body, int min, int extent,
            uint8_t* closure) {
  Loop loop = {.context = context, .body = body};
  return PrunerThreadPoolRun(pool.load(), RunIteration, &loop, min, extent,
                             closure);
}

}  // namespace

void SetKernelThreads(int threads) {
  // Halide's runtime comes to be with the first kernel, and what it was told
  // before is forgotten.
  Halide::Internal::JITSharedRuntime::get(
      nullptr, Halide::get_host_target().with_feature(Halide::Target::JIT));
  Halide::Internal::JITSharedRuntime::set_num_threads(threads);
  PrunerThreadPoolDestroy(pool.exchange(PrunerThreadPoolCreate(threads)));
}

void UseKernelThreads(Halide::JITUserContext& context) {
  if (pool.load() != nullptr) context.handlers.custom_do_par_for = RunLoop;
}

}  // namespace pruner
