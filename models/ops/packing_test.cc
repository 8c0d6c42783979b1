#include "models/ops/packing.h"

#include <numeric>

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(PackingTest, ChoosesTheWidestVectorThatDividesTheChannels) {
  EXPECT_EQ(ChoosePacking(64, 16).lanes, 16);
  EXPECT_EQ(ChoosePacking(64, 8).lanes, 8);
  EXPECT_EQ(ChoosePacking(1000, 16).lanes, 8);
  EXPECT_EQ(ChoosePacking(64, 20).lanes, 16);
  EXPECT_TRUE(ChoosePacking(10, 16).IsPlain());
  EXPECT_TRUE(ChoosePacking(7, 16).IsPlain());
}

TEST(PackingTest, OneVectorOfChannelsLiesTogether) {
  std::vector<float> weights(3 * 4);
  std::iota(weights.begin(), weights.end(), 0.0f);
  const Shape shape = {3, 4};
  EXPECT_EQ(PackedShape(shape, {2}), (Shape{2, 3, 2}));
  EXPECT_EQ(PackConstant(weights, shape, {2}),
            (std::vector<float>{0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(PackedShape(shape, {}), shape);
  EXPECT_EQ(PackConstant(weights, shape, {}), weights);
}

TEST(PackingTest, UnpackingIsTheInverse) {
  const Shape shape = {3, 2, 5, 24};
  std::vector<float> weights(NumElements(shape));
  std::iota(weights.begin(), weights.end(), 0.0f);
  for (const int64_t lanes : {0, 1, 4, 8, 24}) {
    const std::vector<float> packed = PackConstant(weights, shape, {lanes});
    EXPECT_EQ(UnpackConstant(packed, shape, {lanes}), weights);
    EXPECT_EQ(NumElements(PackedShape(shape, {lanes})), NumElements(shape));
  }
  EXPECT_EQ(PackedShape(shape, {8}), (Shape{3, 3, 2, 5, 8}));
}

TEST(PackingTest, TextFormRoundTrips) {
  for (const Packing& packing : {Packing{}, Packing{8}}) {
    EXPECT_EQ(*ParsePacking(PackingText(packing)), packing);
  }
  EXPECT_EQ(PackingText({16}), "channels/16");
  for (const char* text :
       {"", "channels", "channels/", "channels/0", "c/8", "channels/8x"}) {
    EXPECT_EQ(ParsePacking(text).status().message(),
              std::string("'") + text +
                  "' is no packing; there are 'plain' and 'channels/N' with N "
                  "of at least 1");
  }
}

}  // namespace
}  // namespace pruner
