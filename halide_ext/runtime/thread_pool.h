// Threads for the parallel loops of kernels. C, without any library but the
// system's: what is packaged with tuned networks uses it as well.
#ifndef HALIDE_EXT_RUNTIME_THREAD_POOL_H_
#define HALIDE_EXT_RUNTIME_THREAD_POOL_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A network runs some fifty kernels of some ten microseconds each, one after
// the other. So a thread that has nothing to do looks out for the next loop for
// a while before it sleeps, for waking up takes as long as a small kernel; and
// each thread begins with the same part of every loop, so that what it wrote in
// one kernel is in its core's cache in the next. A thread that is done takes
// over from others what they have not begun.
typedef struct PrunerThreadPool PrunerThreadPool;

// Iterations `min` to `min + extent - 1`.
typedef struct {
  // Not 0: an error, after which no more iterations are begun.
  int (*iteration)(void* context, int index, uint8_t* closure);
  // Unless it is null: the k-th of n shares of what is to be done before any
  // iteration is begun, by the thread that begins with the k-th part of the
  // loop, or another if that does not come.
  void (*prepare)(void* context, int k, int n);
  void* context;
  int min;
  int extent;
  uint8_t* closure;
} PrunerLoop;

// `threads`, those that call included, at least 1. Null: the system has no
// memory or threads for it.
PrunerThreadPool* PrunerThreadPoolCreate(int threads);

// As it was created with.
int PrunerThreadPoolThreads(const PrunerThreadPool* pool);

// Nothing may be running. Null is allowed.
void PrunerThreadPoolDestroy(PrunerThreadPool* pool);

// Runs a loop and returns when all of it is done: 0 or the error of one of its
// iterations. May be called by several threads, and by iterations: a call while
// another runs does its loop by itself.
int PrunerThreadPoolRun(PrunerThreadPool* pool, const PrunerLoop* loop);

#ifdef __cplusplus
}
#endif

#endif  // HALIDE_EXT_RUNTIME_THREAD_POOL_H_
