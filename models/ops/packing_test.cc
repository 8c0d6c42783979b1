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
  EXPECT_EQ(PackedShape(shape, {.lanes = 2}), (Shape{2, 3, 2}));
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

TEST(PackingTest, TransformsWeightsForWinograd) {
  const Shape shape = {3, 3, 2, 8};
  std::vector<float> weights(NumElements(shape));
  std::iota(weights.begin(), weights.end(), 1.0f);
  const Packing plain = {.winograd_tile = 2};
  EXPECT_EQ(PackedShape(shape, plain), (Shape{16, 2, 8}));
  const std::vector<float> transformed = PackConstant(weights, shape, plain);
  ASSERT_EQ(transformed.size(), 16u * 16);
  // Corners of G g G^T are those of g.
  EXPECT_EQ(transformed[0], weights[0]);
  EXPECT_EQ(transformed[3 * 16 + 5], weights[2 * 16 + 5]);
  EXPECT_EQ(transformed[15 * 16 + 15], weights[8 * 16 + 15]);
  // The middle is a mean of quarters: (a b c) / 2 along each side.
  float sum = 0;
  for (int i = 0; i < 9; ++i) sum += weights[i * 16 + 3];
  EXPECT_EQ(transformed[5 * 16 + 3], sum / 4);

  const Packing packed = {.lanes = 4, .winograd_tile = 2};
  EXPECT_EQ(PackedShape(shape, packed), (Shape{16, 2, 2, 4}));
  const std::vector<float> both = PackConstant(weights, shape, packed);
  ASSERT_EQ(both.size(), transformed.size());
  // Position 7, input channel 1, output channel 6.
  EXPECT_EQ(both[7 * 16 + (6 / 4 * 2 + 1) * 4 + 6 % 4],
            transformed[7 * 16 + 1 * 8 + 6]);
}

TEST(PackingTest, BlocksBothKindsOfChannels) {
  const Shape shape = {1, 2, 3, 5};
  std::vector<float> weights(NumElements(shape));
  std::iota(weights.begin(), weights.end(), 1.0f);
  const Packing packing = {.lanes = 4, .in_lanes = 2};
  EXPECT_EQ(PackedShape(shape, packing), (Shape{2, 2, 1, 2, 2, 4}));
  const std::vector<float> packed = PackConstant(weights, shape, packing);
  ASSERT_EQ(packed.size(), 64u);
  // The first block: input channels 0 and 1, output channels 0 to 3.
  const std::vector<float> first(packed.begin(), packed.begin() + 16);
  EXPECT_EQ(first, (std::vector<float>{1, 2, 3, 4, 6, 7, 8, 9,  //
                                       16, 17, 18, 19, 21, 22, 23, 24}));
  // The last one has only input channel 2 and output channel 4.
  const std::vector<float> last(packed.end() - 16, packed.end());
  EXPECT_EQ(last, (std::vector<float>{15, 0, 0, 0, 0, 0, 0, 0,  //
                                      30, 0, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace pruner
