#include "pruner/base/os/huge_memory.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;

TEST(HugeMemoryTest, IsZeroAndBeginsWithAPage) {
  for (const size_t bytes : {1, 5000, 3 << 20}) {
    auto memory = HugeMemory::Allocate(bytes);
    ASSERT_THAT(memory, IsOk());
    auto* const data = static_cast<char*>(memory->data());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % (2 << 20), 0u);
    EXPECT_EQ(data[0], 0);
    EXPECT_EQ(data[bytes - 1], 0);
    std::memset(data, 1, bytes);
  }
}

TEST(HugeMemoryTest, StaysWhereItIsWhenMoved) {
  HugeMemory a = *HugeMemory::Allocate(100);
  void* const data = a.data();
  HugeMemory b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(HugeMemory::Allocate(0)->data(), nullptr);
}

TEST(HugeMemoryTest, MoreThanThereIsIsAnError) {
  EXPECT_THAT(HugeMemory::Allocate(std::numeric_limits<size_t>::max()),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(HugeMemory::Allocate(size_t{1} << 60),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace pruner
