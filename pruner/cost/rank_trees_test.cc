#include "pruner/cost/rank_trees.h"

#include <limits>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::testing::DoubleNear;

// The points of a grid, of which the lower left corner is best.
class RankTreesTest : public testing::Test {
 protected:
  RankTreesTest() {
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y) {
        points_.Append({static_cast<float>(x), static_cast<float>(y)});
        labels_.push_back(1.0f / static_cast<float>(1 + x + 2 * y));
      }
    }
  }

  std::vector<float> ScoresOf(RankTrees& trees) {
    auto scores = trees.Predict(points_);
    ABSL_EXPECT_OK(scores);
    return *std::move(scores);
  }

  FeatureRows points_ = {.columns = 2};
  std::vector<float> labels_;
};

TEST_F(RankTreesTest, RanksWhatItLearnedFrom) {
  RankTrees trees({});
  EXPECT_FALSE(trees.is_trained());
  ABSL_ASSERT_OK(trees.Train(points_, labels_));
  EXPECT_TRUE(trees.is_trained());
  EXPECT_GT(trees.num_trees(), 1);
  const std::vector<float> scores = ScoresOf(trees);
  EXPECT_GT(AverageRecall(scores, labels_, 100), 0.9);
  EXPECT_GT(scores.front(), scores.back());
}

TEST_F(RankTreesTest, IsDeterministic) {
  RankTrees one({}), other({});
  ABSL_ASSERT_OK(one.Train(points_, labels_));
  ABSL_ASSERT_OK(other.Train(points_, labels_));
  EXPECT_EQ(ScoresOf(one), ScoresOf(other));
  // Each training starts anew.
  const std::vector<float> before = ScoresOf(one);
  ABSL_ASSERT_OK(
      one.Train(points_, std::vector<float>(labels_.rbegin(), labels_.rend())));
  EXPECT_NE(ScoresOf(one), before);
  ABSL_ASSERT_OK(one.Train(points_, labels_));
  EXPECT_EQ(ScoresOf(one), before);
}

TEST_F(RankTreesTest, LearnsWhatABaseLacks) {
  // The base is sure of everything, so nothing is left to be learned.
  std::vector<float> base;
  for (size_t i = 0; i < labels_.size(); ++i) {
    labels_[i] = 1 - 1e-3f * static_cast<float>(i);
    base.push_back(-1000 * static_cast<float>(i));
  }
  RankTrees trees({});
  ABSL_ASSERT_OK(trees.Train(points_, labels_, base));
  std::vector<float> sums = ScoresOf(trees);
  EXPECT_EQ(trees.num_trees(), 1);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += base[i];
  EXPECT_THAT(AverageRecall(sums, labels_, 100), DoubleNear(1, 1e-9));
}

TEST_F(RankTreesTest, KeepsWhatItKnewIfTheNextRowsAreBad) {
  RankTrees trees({});
  ABSL_ASSERT_OK(trees.Train(points_, labels_));
  const std::vector<float> before = ScoresOf(trees);
  FeatureRows bad = points_;
  bad.values[3] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(trees.Train(bad, labels_).ok());
  EXPECT_EQ(ScoresOf(trees), before);
}

TEST(AverageRecallTest, IsTheMeanOverAllLengths) {
  // Best by label: 0 1 2 3; by score: 1 0 3 2. Shares 0/1, 2/2, 2/3, 4/4.
  const std::vector<float> labels = {4, 3, 2, 1};
  const std::vector<float> scores = {3, 4, 1, 2};
  EXPECT_DOUBLE_EQ(AverageRecall(scores, labels, 4), (1 + 2.0 / 3 + 1) / 4);
  EXPECT_DOUBLE_EQ(AverageRecall(scores, labels, 2), 0.5);
  EXPECT_DOUBLE_EQ(AverageRecall(scores, labels, 100),
                   AverageRecall(scores, labels, 4));
  EXPECT_DOUBLE_EQ(AverageRecall(labels, labels, 3), 1);
  EXPECT_DOUBLE_EQ(AverageRecall({}, {}, 3), 0);
}

}  // namespace
}  // namespace pruner
