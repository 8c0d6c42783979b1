#include "halide_ext/runner/guarded_memory.h"

#include <cstdint>
#include <cstring>
#include <optional>

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

TEST(GuardedMemoryTest, TellsWhatWasWrittenThatIsNotItsOwn) {
  GuardedMemory memory = *GuardedMemory::Allocate(100);
  auto* const data = static_cast<char*>(memory.data());
  std::memset(data, 1, 100);
  EXPECT_EQ(memory.DamagedByte(), std::nullopt);
  data[-7] = 0;
  EXPECT_EQ(memory.DamagedByte(), -7);
  data[103] = 0;
  EXPECT_EQ(memory.DamagedByte(), 103);
  memory.RestorePattern();
  EXPECT_EQ(memory.DamagedByte(), std::nullopt);
  EXPECT_EQ(data[99], 1);
}

TEST(GuardedMemoryTest, KnowsThePagesAround) {
  const GuardedMemory memory = *GuardedMemory::Allocate(100);
  const auto* const data = static_cast<const char*>(memory.data());
  EXPECT_EQ(memory.PlaceInGuard(data), std::nullopt);
  EXPECT_EQ(memory.PlaceInGuard(data + 127), std::nullopt);
  EXPECT_EQ(memory.PlaceInGuard(data + 128), 128);
  EXPECT_EQ(memory.PlaceInGuard(data + (1 << 20)), std::nullopt);
  EXPECT_EQ(memory.PlaceInGuard(data - 5000), -5000);
}

}  // namespace
}  // namespace pruner
