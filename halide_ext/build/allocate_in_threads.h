// For tests of what hands out memory.
#ifndef HALIDE_EXT_BUILD_ALLOCATE_IN_THREADS_H_
#define HALIDE_EXT_BUILD_ALLOCATE_IN_THREADS_H_

#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {

// Four threads that each allocate, fill and free blocks of up to a megabyte;
// nobody else may write into them.
template <typename Allocator>
void AllocateInThreads(Allocator& allocator) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&allocator, t] {
      for (size_t i = 1; i < 200; ++i) {
        auto* const block =
            static_cast<unsigned char*>(allocator.Allocate(i * 5000));
        ASSERT_NE(block, nullptr);
        std::memset(block, t, i * 5000);
        ASSERT_EQ(block[i * 4999], t);
        allocator.Free(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_ALLOCATE_IN_THREADS_H_
