#include "xxhash.h"

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"

namespace {

// The hash is stored in files, so another version must give the same values.
TEST(XxhashTest, GivesThePublishedValues) {
  EXPECT_EQ(XXH64("", 0, 0), uint64_t{0xEF46DB3751D8E999});
  EXPECT_EQ(XXH64("abc", 3, 0), uint64_t{0x44BC2CF5AD770999});
}

}  // namespace
