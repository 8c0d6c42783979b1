#include "pruner/base/float_bytes.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FloatBytesTest, AreLittleEndian) {
  EXPECT_EQ(BytesOfFloats({1.0f}), std::string("\0\0\x80\x3f", 4));
  EXPECT_EQ(BytesOfFloats({}), "");
}

TEST(FloatBytesTest, ComeOutAsTheyWentIn) {
  const std::vector<float> values = {0, -1.5f, 1e-30f};
  EXPECT_EQ(FloatsOfBytes(BytesOfFloats(values)), values);
  EXPECT_THAT(FloatsOfBytes(""), IsEmpty());
  EXPECT_THAT(FloatsOfBytes(BytesOfFloats({2.0f}) + "xyz"), ElementsAre(2));
}

}  // namespace
}  // namespace pruner
