#include "halide_ext/runner/guarded_flatbuffer.h"

#include <csignal>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::Each;

// A root offset and what follows, of this size.
std::string Sample(size_t size) {
  std::string bytes(size, '\1');
  bytes[0] = 4, bytes[1] = bytes[2] = bytes[3] = 0;
  return bytes;
}

TEST(GuardedFlatbufferTest, MovesTheRootToTheEnd) {
  for (const size_t size : {4, 9, 100, 4096, 5000, 300000}) {
    const GuardedFlatbuffer guarded = *GuardedFlatbuffer::Copy(Sample(size));
    const std::vector<uint8_t>& bytes = guarded.bytes();
    const size_t padding = bytes.size() - size;
    EXPECT_EQ(padding % 8, 0u);
    const size_t root = bytes[0] + bytes[1] * 256u;
    EXPECT_EQ(root, 4 + padding);
    EXPECT_THAT(std::vector(bytes.begin() + root, bytes.end()), Each(1));
  }
}

TEST(GuardedFlatbufferTest, ReadingBehindItCrashes) {
  GuardedFlatbuffer first = *GuardedFlatbuffer::Copy(Sample(4091));
  const GuardedFlatbuffer guarded = std::move(first);
  const auto at = [&](size_t behind_end) {
    const volatile uint8_t* data = guarded.bytes().data();
    return data[guarded.bytes().size() + behind_end];
  };
  EXPECT_EXIT(at(7), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(at(200 << 20), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace pruner
