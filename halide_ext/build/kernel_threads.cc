#include "halide_ext/build/kernel_threads.h"

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "halide_ext/runtime/claim_lines.h"
#include "halide_ext/runtime/thread_pool.h"

namespace pruner {
namespace {

using Body = int (*)(Halide::JITUserContext*, int, uint8_t*);

// Of the process; it lives as long.
std::atomic<PrunerThreadPool*> pool = nullptr;

struct Loop {
  Halide::JITUserContext* context;
  Body body;
  std::vector<MemoryRange> claims;
};

int RunIteration(void* context, int index, uint8_t* closure) {
  const auto* const loop = static_cast<const Loop*>(context);
  return loop->body(loop->context, index, closure);
}

// The k-th of n parts of each.
void ClaimShare(absl::Span<const MemoryRange> memory, int k, int n) {
  for (const MemoryRange& range : memory) {
    const size_t begin = range.bytes * k / n;
    const size_t end = range.bytes * (k + 1) / n;
    PrunerClaimLines(static_cast<char*>(range.data) + begin, end - begin);
  }
}

void Claim(void* context, int k, int n) {
  ClaimShare(static_cast<const Loop*>(context)->claims, k, n);
}

int RunLoop(Halide::JITUserContext* context, Body body, int min, int extent,
            uint8_t* closure) {
  auto* const call = static_cast<ThreadedCall*>(context);
  Loop loop = {.context = context,
               .body = body,
               .claims = std::exchange(call->claims, {})};
  const PrunerLoop run = {.iteration = RunIteration,
                          .prepare = loop.claims.empty() ? nullptr : Claim,
                          .context = &loop,
                          .min = min,
                          .extent = extent,
                          .closure = closure};
  call->is_in_loop = true;
  const int error = PrunerThreadPoolRun(pool.load(), &run);
  call->is_in_loop = false;
  return error;
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

void UseKernelThreads(ThreadedCall& call) {
  if (pool.load() != nullptr) call.handlers.custom_do_par_for = RunLoop;
}

void ClaimMemory(absl::Span<const MemoryRange> memory) {
  OnKernelThreads([&](int k, int n) { ClaimShare(memory, k, n); });
}

void OnKernelThreads(absl::FunctionRef<void(int k, int n)> share) {
  PrunerThreadPool* const threads = pool.load();
  if (threads == nullptr) return share(0, 1);
  struct Shares {
    absl::FunctionRef<void(int k, int n)> run;
    int number;
  } shares = {.run = share, .number = PrunerThreadPoolThreads(threads)};
  const PrunerLoop loop = {.iteration =
                               [](void* context, int k, uint8_t*) {
                                 const auto* all =
                                     static_cast<const Shares*>(context);
                                 all->run(k, all->number);
                                 return 0;
                               },
                           .prepare = nullptr,
                           .context = &shares,
                           .min = 0,
                           .extent = shares.number,
                           .closure = nullptr};
  PrunerThreadPoolRun(threads, &loop);
}

}  // namespace pruner
