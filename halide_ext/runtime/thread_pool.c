#define _GNU_SOURCE
#include "halide_ext/runtime/thread_pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  kCacheLine = 64,
  // For so long a thread looks out for the next loop.
  kSpinNanoseconds = 50 * 1000,
  kPausesPerLookAtTheClock = 32,
  // A thread that looks out takes less to join.
  kPausesBeforeHelp = 32,
};

// Iterations that nobody has begun: the next one in the lower half, the end in
// the upper. Its thread takes them from the front, others from the back.
typedef struct {
  alignas(kCacheLine) _Atomic uint64_t rest;
  _Atomic bool is_prepared;  // or about to be
} Share;

typedef struct {
  PrunerThreadPool* pool;
  pthread_t thread;
  int number;  // its share
} Worker;

struct PrunerThreadPool {
  int threads;  // the calling one included, which has share 0
  Worker* workers;
  int started;

  const PrunerLoop* loop;  // that is run
  Share* shares;
  _Atomic int error;
  _Atomic int prepared;  // shares

  alignas(kCacheLine) atomic_flag is_busy;  // somebody's loop is run
  // How many loops there were, times two, and one if the last is open to those
  // who would join; in the lower half, how many workers are in it.
  alignas(kCacheLine) _Atomic uint64_t state;
  alignas(kCacheLine) _Atomic uint32_t signal;  // changes with every loop
  _Atomic int sleepers;
  _Atomic bool is_over;
};

static uint64_t MakeShare(uint32_t next, uint32_t end) {
  return (uint64_t)end << 32 | next;
}

static void Pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

static int64_t Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// The next iteration of a share, from its front or back; -1: there is none.
static int64_t Take(Share* share, bool from_front) {
  uint64_t rest = atomic_load_explicit(&share->rest, memory_order_relaxed);
  for (;;) {
    const uint32_t next = (uint32_t)rest, end = (uint32_t)(rest >> 32);
    if (next >= end) return -1;
    const uint64_t less =
        from_front ? MakeShare(next + 1, end) : MakeShare(next, end - 1);
    if (atomic_compare_exchange_weak_explicit(&share->rest, &rest, less,
                                              memory_order_relaxed,
                                              memory_order_relaxed)) {
      return from_front ? next : end - 1;
    }
  }
}

// Runs what is left of a share.
static void RunShare(PrunerThreadPool* pool, int number, bool is_own) {
  const PrunerLoop* const loop = pool->loop;
  int64_t index;
  while ((index = Take(&pool->shares[number], is_own)) >= 0) {
    if (atomic_load_explicit(&pool->error, memory_order_relaxed) != 0) continue;
    const int error =
        loop->iteration(loop->context, loop->min + (int)index, loop->closure);
    if (error != 0)
      atomic_store_explicit(&pool->error, error, memory_order_relaxed);
  }
}

// For what others are about to do; `began` when the waiting did.
static void Wait(int64_t began) {
  if (Now() - began < kSpinNanoseconds) {
    Pause();
  } else {
    sched_yield();  // to whom is waited for
  }
}

// Its own share, then those of threads that do not come, and waits for the
// rest.
static void Prepare(PrunerThreadPool* pool, int number) {
  const PrunerLoop* const loop = pool->loop;
  for (int k = 0; k < pool->threads; ++k) {
    const int share = (number + k) % pool->threads;
    _Atomic bool* const is_prepared = &pool->shares[share].is_prepared;
    if (atomic_load(&pool->prepared) == pool->threads) return;
    for (int i = 0; k > 0 && i < kPausesBeforeHelp; ++i) {
      if (atomic_load(is_prepared)) break;
      Pause();
    }
    if (atomic_exchange(is_prepared, true)) continue;
    loop->prepare(loop->context, share, pool->threads);
    atomic_fetch_add(&pool->prepared, 1);
  }
  const int64_t began = Now();
  while (atomic_load(&pool->prepared) < pool->threads) Wait(began);
}

// Its own share, then the others'.
static void RunAll(PrunerThreadPool* pool, int number) {
  if (pool->loop->prepare != NULL) Prepare(pool, number);
  for (int k = 0; k < pool->threads; ++k)
    RunShare(pool, (number + k) % pool->threads, k == 0);
}

static bool IsOpen(uint64_t state) { return (state >> 32) % 2 == 1; }

// Of the loop that is open, unless it is `seen`; which it is from then on.
static bool Join(PrunerThreadPool* pool, uint64_t* seen) {
  uint64_t state = atomic_load(&pool->state);
  while (IsOpen(state) && state >> 32 != *seen) {
    if (atomic_compare_exchange_weak(&pool->state, &state, state + 1)) {
      *seen = state >> 32;
      return true;
    }
  }
  return false;
}

static void Sleep(PrunerThreadPool* pool, uint32_t signal) {
  atomic_fetch_add(&pool->sleepers, 1);
  syscall(SYS_futex, &pool->signal, FUTEX_WAIT_PRIVATE, signal, NULL, NULL, 0);
  atomic_fetch_sub(&pool->sleepers, 1);
}

static void WakeAll(PrunerThreadPool* pool) {
  atomic_fetch_add(&pool->signal, 1);
  if (atomic_load(&pool->sleepers) == 0) return;
  syscall(SYS_futex, &pool->signal, FUTEX_WAKE_PRIVATE, pool->threads, NULL,
          NULL, 0);
}

// Returns false when the pool is over.
static bool JoinNext(PrunerThreadPool* pool, uint64_t* seen) {
  int64_t began = Now();
  for (;;) {
    const uint32_t signal = atomic_load(&pool->signal);
    for (int i = 0; i < kPausesPerLookAtTheClock; ++i) {
      if (atomic_load(&pool->is_over)) return false;
      if (Join(pool, seen)) return true;
      Pause();
    }
    if (Now() - began < kSpinNanoseconds) continue;
    Sleep(pool, signal);
    began = Now();
  }
}

static void* Work(void* argument) {
  const Worker* const worker = argument;
  PrunerThreadPool* const pool = worker->pool;
  uint64_t seen = 0;
  while (JoinNext(pool, &seen)) {
    RunAll(pool, worker->number);
    atomic_fetch_sub(&pool->state, 1);
  }
  return NULL;
}

PrunerThreadPool* PrunerThreadPoolCreate(int threads) {
  PrunerThreadPool* const pool =
      aligned_alloc(kCacheLine, (sizeof(PrunerThreadPool) + kCacheLine - 1) /
                                    kCacheLine * kCacheLine);
  if (pool == NULL) return NULL;
  *pool = (PrunerThreadPool){.threads = threads, .is_busy = ATOMIC_FLAG_INIT};
  pool->shares = aligned_alloc(kCacheLine, sizeof(Share) * (size_t)threads);
  pool->workers = calloc((size_t)threads, sizeof(Worker));
  bool is_well = pool->shares != NULL && pool->workers != NULL;
  for (int i = 1; i < threads && is_well; ++i) {
    Worker* const worker = &pool->workers[i];
    *worker = (Worker){.pool = pool, .number = i};
    is_well = pthread_create(&worker->thread, NULL, Work, worker) == 0;
    pool->started += is_well;
  }
  if (is_well) return pool;
  PrunerThreadPoolDestroy(pool);
  return NULL;
}

int PrunerThreadPoolThreads(const PrunerThreadPool* pool) {
  return pool->threads;
}

void PrunerThreadPoolDestroy(PrunerThreadPool* pool) {
  if (pool == NULL) return;
  atomic_store(&pool->is_over, true);
  WakeAll(pool);
  for (int i = 1; i <= pool->started; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  free(pool->workers);
  free(pool->shares);
  free(pool);
}

static int RunAlone(const PrunerLoop* loop) {
  if (loop->prepare != NULL) loop->prepare(loop->context, 0, 1);
  for (int i = 0; i < loop->extent; ++i) {
    const int error =
        loop->iteration(loop->context, loop->min + i, loop->closure);
    if (error != 0) return error;
  }
  return 0;
}

// Waits for the workers that are in the loop, and lets no more in.
static void Close(PrunerThreadPool* pool, uint64_t loop) {
  const int64_t began = Now();
  for (;;) {
    uint64_t nobody = loop << 32;
    if (atomic_compare_exchange_strong(&pool->state, &nobody,
                                       (loop + 1) << 32)) {
      return;
    }
    Wait(began);
  }
}

int PrunerThreadPoolRun(PrunerThreadPool* pool, const PrunerLoop* loop) {
  const bool is_alone = loop->extent < 2 || pool->threads < 2 ||
                        atomic_flag_test_and_set(&pool->is_busy);
  if (is_alone) return RunAlone(loop);
  pool->loop = loop;
  atomic_store_explicit(&pool->error, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->prepared, 0, memory_order_relaxed);
  for (int64_t k = 0; k < pool->threads; ++k) {
    const uint64_t share =
        MakeShare((uint32_t)(k * loop->extent / pool->threads),
                  (uint32_t)((k + 1) * loop->extent / pool->threads));
    atomic_store_explicit(&pool->shares[k].rest, share, memory_order_relaxed);
    atomic_store_explicit(&pool->shares[k].is_prepared, false,
                          memory_order_relaxed);
  }
  const uint64_t number = (atomic_load(&pool->state) >> 32) + 1;
  atomic_store(&pool->state, number << 32);
  WakeAll(pool);
  RunAll(pool, 0);
  Close(pool, number);
  const int error = atomic_load_explicit(&pool->error, memory_order_relaxed);
  atomic_flag_clear(&pool->is_busy);
  return error;
}
