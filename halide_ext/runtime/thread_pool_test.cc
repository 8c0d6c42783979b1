#include "halide_ext/runtime/thread_pool.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

constexpr int kThreads = 4;

int RunLoop(PrunerThreadPool* pool, int (*iteration)(void*, int, uint8_t*),
            void* context, int min, int extent) {
  const PrunerLoop loop = {.iteration = iteration,
                           .prepare = nullptr,
                           .context = context,
                           .min = min,
                           .extent = extent,
                           .closure = nullptr};
  return PrunerThreadPoolRun(pool, &loop);
}

class ThreadPoolTest : public testing::Test {
 protected:
  ~ThreadPoolTest() override { PrunerThreadPoolDestroy(pool_); }
  PrunerThreadPool* const pool_ = PrunerThreadPoolCreate(kThreads);
};

// How often each iteration was run.
struct Counts {
  explicit Counts(int extent) : times(extent) {}
  std::vector<std::atomic<int>> times;

  bool AllOnce() const {
    for (const std::atomic<int>& t : times) {
      if (t != 1) return false;
    }
    return true;
  }
};

constexpr int kMin = -3;

int Count(void* context, int index, uint8_t*) {
  ++static_cast<Counts*>(context)->times[index - kMin];
  return 0;
}

TEST_F(ThreadPoolTest, RunsEveryIterationOnce) {
  for (const int extent : {0, 1, 2, 3, 4, 5, 17, 1000}) {
    Counts counts(extent);
    EXPECT_EQ(RunLoop(pool_, Count, &counts, kMin, extent), 0);
    EXPECT_TRUE(counts.AllOnce()) << extent;
  }
}

TEST_F(ThreadPoolTest, ManyShortLoopsAndPausesInBetween) {
  for (int loop = 0; loop < 20000; ++loop) {
    Counts counts(1 + loop % 13);
    RunLoop(pool_, Count, &counts, kMin, 1 + loop % 13);
    ASSERT_TRUE(counts.AllOnce()) << loop;
    // Longer than threads look out for the next loop.
    if (loop % 2000 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_F(ThreadPoolTest, IterationsAreSharedByThreads) {
  struct Barrier {
    std::atomic<int> inside = 0;
  } barrier;
  // Each waits until all others have begun: no thread can run two of them.
  const auto wait = [](void* context, int, uint8_t*) {
    auto* const b = static_cast<Barrier*>(context);
    ++b->inside;
    while (b->inside < kThreads) std::this_thread::yield();
    return 0;
  };
  EXPECT_EQ(RunLoop(pool_, wait, &barrier, 0, kThreads), 0);
  EXPECT_EQ(barrier.inside, kThreads);
}

TEST_F(ThreadPoolTest, AThreadThatIsDoneHelpsTheOthers) {
  // The first half takes long, and is one thread's own.
  struct Loop {
    std::atomic<int> done = 0;
    std::atomic<int> left = 1;
  } loop;
  const auto run = [](void* context, int index, uint8_t*) {
    auto* const l = static_cast<Loop*>(context);
    if (index == 0) {
      // All others are run meanwhile, those of this thread's share too.
      while (l->done < 99) std::this_thread::yield();
    }
    ++l->done;
    return 0;
  };
  EXPECT_EQ(RunLoop(pool_, run, &loop, 0, 100), 0);
  EXPECT_EQ(loop.done, 100);
}

TEST_F(ThreadPoolTest, AnErrorIsReturnedAndEndsTheLoop) {
  std::atomic<int> runs = 0;
  const auto fail = [](void* context, int index, uint8_t*) {
    ++*static_cast<std::atomic<int>*>(context);
    return index == 2 ? -7 : 0;
  };
  EXPECT_EQ(RunLoop(pool_, fail, &runs, 0, 1000000), -7);
  EXPECT_LT(runs, 1000000);
  Counts counts(10);
  EXPECT_EQ(RunLoop(pool_, Count, &counts, kMin, 10), 0);
  EXPECT_TRUE(counts.AllOnce());
}

struct Nested {
  PrunerThreadPool* pool;
  Counts counts{100};
};

TEST_F(ThreadPoolTest, LoopsInIterationsAreRunByThem) {
  Nested nested = {.pool = pool_};
  const auto outer = [](void* context, int index, uint8_t*) {
    auto* const n = static_cast<Nested*>(context);
    return RunLoop(n->pool, Count, &n->counts, 10 * index + kMin, 10);
  };
  EXPECT_EQ(RunLoop(pool_, outer, &nested, 0, 10), 0);
  EXPECT_TRUE(nested.counts.AllOnce());
}

TEST_F(ThreadPoolTest, SeveralThreadsMayCall) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c) {
    callers.emplace_back([&] {
      for (int loop = 0; loop < 3000; ++loop) {
        Counts counts(20);
        RunLoop(pool_, Count, &counts, kMin, 20);
        wrong += !counts.AllOnce();
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ThreadPoolTest, ThePartsOfALoopHaveTheSameThreads) {
  constexpr int kExtent = 4 * kThreads;
  std::vector<std::thread::id> first(kExtent), second(kExtent);
  // As the barrier: each thread has its own share, and nobody takes over.
  struct Loop {
    std::vector<std::thread::id>* threads;
    std::atomic<int> begun = 0;
  };
  const auto run = [](void* context, int index, uint8_t*) {
    auto* const l = static_cast<Loop*>(context);
    (*l->threads)[index] = std::this_thread::get_id();
    if (index % 4 == 0) ++l->begun;
    while (l->begun < kThreads) std::this_thread::yield();
    return 0;
  };
  for (auto* threads : {&first, &second}) {
    Loop loop = {.threads = threads};
    RunLoop(pool_, run, &loop, 0, kExtent);
  }
  for (const int begin : {0, 4, 8, 12}) EXPECT_EQ(first[begin], second[begin]);
}

// A loop whose iterations need all that was prepared.
struct Prepared {
  std::atomic<int> shares[kThreads] = {};
  std::atomic<int> number = 0;  // of shares, as the pool says
  std::atomic<int> too_early = 0;
  std::atomic<int> iterations = 0;

  PrunerLoop Loop(int extent) {
    const auto prepare = [](void* context, int k, int n) {
      auto* const self = static_cast<Prepared*>(context);
      self->number = n;
      if (k % 2 == 1) std::this_thread::yield();
      ++self->shares[k];
    };
    const auto iterate = [](void* context, int, uint8_t*) {
      auto* const self = static_cast<Prepared*>(context);
      for (int k = 0; k < self->number; ++k)
        self->too_early += self->shares[k] != 1;
      ++self->iterations;
      return 0;
    };
    return {.iteration = iterate,
            .prepare = prepare,
            .context = this,
            .min = 0,
            .extent = extent,
            .closure = nullptr};
  }
};

TEST_F(ThreadPoolTest, IterationsBeginWhenAllIsPrepared) {
  for (int i = 0; i < 5000; ++i) {
    Prepared prepared;
    const int extent = 2 + i % 7;
    const PrunerLoop loop = prepared.Loop(extent);
    ASSERT_EQ(PrunerThreadPoolRun(pool_, &loop), 0);
    ASSERT_EQ(prepared.number, kThreads);
    ASSERT_EQ(prepared.iterations, extent);
    ASSERT_EQ(prepared.too_early, 0) << i;
    if (i % 1000 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_F(ThreadPoolTest, WhoRunsALoopAlonePreparesAll) {
  Prepared prepared;
  const PrunerLoop loop = prepared.Loop(1);
  EXPECT_EQ(PrunerThreadPoolRun(pool_, &loop), 0);
  EXPECT_EQ(prepared.number, 1);
  EXPECT_EQ(prepared.shares[0], 1);
  EXPECT_EQ(prepared.iterations, 1);
  EXPECT_EQ(prepared.too_early, 0);
}

TEST(ThreadPoolOfOneTest, IsTheCaller) {
  PrunerThreadPool* const pool = PrunerThreadPoolCreate(1);
  Counts counts(100);
  EXPECT_EQ(RunLoop(pool, Count, &counts, kMin, 100), 0);
  EXPECT_TRUE(counts.AllOnce());
  PrunerThreadPoolDestroy(pool);
  PrunerThreadPoolDestroy(nullptr);
}

}  // namespace
}  // namespace pruner
