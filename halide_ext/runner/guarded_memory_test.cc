#include "halide_ext/runner/guarded_memory.h"

#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(GuardedMemoryTest, AllOfItCanBeUsedAndIsAligned) {
  for (int64_t bytes : {4, 64, 100, 4096, 5000}) {
    const GuardedMemory memory = *GuardedMemory::Allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % 64, 0u);
    std::memset(memory.data(), 1, bytes);
  }
}

TEST(GuardedMemoryDeathTest, TouchingWhatLiesBehindCrashes) {
  const GuardedMemory memory = *GuardedMemory::Allocate(4096);
  volatile char* data = static_cast<char*>(memory.data());
  EXPECT_DEATH(data[4096] = 1, "");
  EXPECT_DEATH(data[-1] = 1, "");
}

}  // namespace
}  // namespace pruner
