#include "models/graph/constant.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(ConstantTest, RandomValuesAreReproducibleFloatsInRange) {
  const ConstantData data{RandomValues{.seed = 7, .low = -2, .high = 3}};
  const std::vector<double> values = MaterializeConstant(data, {100, 10});
  ASSERT_EQ(values.size(), 1000u);
  EXPECT_EQ(values, MaterializeConstant(data, {1000}));
  double sum = 0;
  for (const double value : values) {
    EXPECT_GE(value, -2);
    EXPECT_LT(value, 3);
    EXPECT_EQ(value, static_cast<float>(value));
    sum += value;
  }
  // The mean of 1000 has a standard deviation of 5 / sqrt(12 * 1000) = 0.046.
  EXPECT_NEAR(sum / 1000, 0.5, 0.25);
  const ConstantData other{RandomValues{.seed = 8, .low = -2, .high = 3}};
  EXPECT_NE(values, MaterializeConstant(other, {1000}));
}

TEST(ConstantTest, ChannelsAreScaledThenShifted) {
  ConstantData data{MakeExplicit({1, 2, 3, 4, 5, 6}), {10, 100, 1000}, {}};
  const Shape shape = {2, 3};
  EXPECT_EQ(MaterializeConstant(data, shape),
            (std::vector<double>{10, 200, 3000, 40, 500, 6000}));
  data.channel_offset = {1, 2, 3};
  EXPECT_EQ(MaterializeConstant(data, shape),
            (std::vector<double>{11, 202, 3003, 41, 502, 6003}));
  // (x * 10 + 1) * 2 - 1 for the first channel.
  const ConstantData twice = ScaleChannels(data, {2, 0, 1}, {-1, 5, 0});
  EXPECT_EQ(MaterializeConstant(twice, shape),
            (std::vector<double>{21, 5, 3003, 81, 5, 6003}));
}

TEST(ConstantTest, ScalingBackLeavesNoTrace) {
  const ConstantData data{MakeExplicit({1, 2})};
  const ConstantData scaled = ScaleChannels(data, {2, 4}, {0, 0});
  EXPECT_TRUE(scaled.channel_offset.empty());
  EXPECT_EQ(ScaleChannels(scaled, {0.5, 0.25}, {0, 0}), data);
}

TEST(ConstantTest, CheckNamesTheField) {
  const Shape shape = {2};
  EXPECT_TRUE(CheckConstant({MakeExplicit({1, 2}), {1, 2}, {}}, shape).ok());
  EXPECT_EQ(CheckConstant({MakeExplicit({1})}, shape).message(),
            "values has 1 elements, the shape 2");
  EXPECT_EQ(CheckConstant({MakeExplicit({1, INFINITY})}, shape).message(),
            "values[1] = inf is not finite");
  EXPECT_EQ(CheckConstant({RandomValues{0, 2, 1}}, shape).message(),
            "random has low = 2 and high = 1; low must not exceed high");
  EXPECT_EQ(CheckConstant({RandomValues{}, {1}, {}}, shape).message(),
            "channel_factor has 1 elements, the innermost dimension 2");
  EXPECT_EQ(CheckConstant({RandomValues{}, {}, {1, 2, 3}}, shape).message(),
            "channel_offset has 3 elements, the innermost dimension 2");
}

}  // namespace
}  // namespace pruner
