#include "pruner/cost/ranking_metrics.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

// 1, 2, 4 and 8 s. The scores exchange the first two.
TaskRanking Task() {
  return {.best_seconds = 1,
          .scores = {0.8, 0.9, 0.3, 0.1},
          .labels = {1, 0.5, 0.25, 0.125}};
}

// The same programs, all scored alike.
TaskRanking Undecided() {
  TaskRanking task = Task();
  task.scores.assign(4, 0.5);
  return task;
}

// 10 and 40 s and one that failed, in the right order; three times as heavy.
TaskRanking HeavyTask() {
  return {.weight = 3,
          .best_seconds = 10,
          .scores = {2, 1, 0},
          .labels = {1, 0.25, 0}};
}

TEST(RankingMetricsTest, PairwiseAccuracy) {
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({Task()}), 5.0 / 6);
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({Undecided()}), 0.5);
  // Each task counts the same.
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({Task(), HeavyTask()}), (5.0 / 6 + 1) / 2);
  // Equal labels are no pair, and a task without pairs does not count.
  const TaskRanking equal = {
      .best_seconds = 1, .scores = {1, 0}, .labels = {1, 1}};
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({equal}), 0.5);
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({HeavyTask(), equal}), 1);
}

TEST(RankingMetricsTest, PairsOfAKind) {
  // One valid pair, in the wrong order, and two with a failure, half right.
  const TaskRanking task = {
      .best_seconds = 1, .scores = {1, 3, 2}, .labels = {1, 0.5, 0}};
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({task}, PairKind::kBothValid), 0);
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({task}, PairKind::kOneFailed), 0.5);
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({task}), 1.0 / 3);
  // Of the valid alone there are no others.
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({Task()}, PairKind::kBothValid), 5.0 / 6);
  EXPECT_DOUBLE_EQ(PairwiseAccuracy({Task()}, PairKind::kOneFailed), 0.5);
}

TEST(RankingMetricsTest, PrecisionAtK) {
  const TaskRanking task = {
      .best_seconds = 1, .scores = {4, 3, 2, 1}, .labels = {1, 0, 0.5, 0}};
  EXPECT_DOUBLE_EQ(PrecisionAtK({task}, 1), 1);
  EXPECT_DOUBLE_EQ(PrecisionAtK({task}, 2), 0.5);
  EXPECT_DOUBLE_EQ(PrecisionAtK({task}, 3), 2.0 / 3);
  EXPECT_DOUBLE_EQ(PrecisionAtK({task}, 100), 0.5);
  EXPECT_DOUBLE_EQ(PrecisionAtK({task, Task()}, 2), 0.75);
  // Any two of the four.
  TaskRanking undecided = task;
  undecided.scores.assign(4, 0);
  EXPECT_DOUBLE_EQ(PrecisionAtK({undecided}, 2), 0.5);
}

TEST(RankingMetricsTest, NdcgAtK) {
  EXPECT_DOUBLE_EQ(NdcgAtK({HeavyTask()}, 3), 1);
  // The first two are exchanged.
  const double second = 1 / std::log2(3);
  EXPECT_DOUBLE_EQ(NdcgAtK({Task()}, 1), 0.5);
  EXPECT_DOUBLE_EQ(NdcgAtK({Task()}, 2), (0.5 + second) / (1 + 0.5 * second));
  EXPECT_DOUBLE_EQ(NdcgAtK({Task(), HeavyTask()}, 1), 0.75);
  EXPECT_DOUBLE_EQ(NdcgAtK({Undecided()}, 1), 1.875 / 4);
  const TaskRanking failed = {
      .best_seconds = 1, .scores = {1, 2}, .labels = {0, 0}};
  EXPECT_DOUBLE_EQ(NdcgAtK({failed}, 2), 1);
}

TEST(RankingMetricsTest, RmseAndRSquared) {
  const TaskRanking first = {
      .best_seconds = 1, .scores = {1, 0.7}, .labels = {1, 0.5}};
  const TaskRanking second = {
      .best_seconds = 1, .scores = {0.6, 0.4}, .labels = {1, 0.5}};
  // Errors 0, 0.2, -0.4, -0.1; labels vary by 0.25 around 0.75.
  EXPECT_DOUBLE_EQ(Rmse({first, second}), std::sqrt(0.21 / 4));
  EXPECT_DOUBLE_EQ(RSquared({first, second}), 1 - 0.21 / 0.25);
  const TaskRanking constant = {
      .best_seconds = 1, .scores = {1, 0}, .labels = {1, 1}};
  EXPECT_EQ(RSquared({constant}), 0);
}

TEST(RankingMetricsTest, RecallAtK) {
  EXPECT_DOUBLE_EQ(RecallAtK({Task()}, 1), 0);
  EXPECT_DOUBLE_EQ(RecallAtK({Task()}, 2), 1);
  EXPECT_DOUBLE_EQ(RecallAtK({Task()}, 9), 1);
  EXPECT_DOUBLE_EQ(RecallAtK({Task(), HeavyTask()}, 1), 0.5);
  EXPECT_DOUBLE_EQ(RecallAtK({Undecided()}, 1), 0.25);
  // One certain, and one of three that are alike.
  const TaskRanking partly = {.best_seconds = 1,
                              .scores = {1, 3, 1, 1},
                              .labels = {1, 0.5, 0.25, 0.125}};
  EXPECT_DOUBLE_EQ(RecallAtK({partly}, 2), (1 + 1.0 / 3) / 2);
}

TEST(RankingMetricsTest, TopK) {
  EXPECT_NEAR(TopK({Task()}, 1), 0.5, 1e-12);
  EXPECT_NEAR(TopK({Task()}, 2), 1, 1e-12);
  // (1 + 3 * 10) / (2 + 3 * 10).
  EXPECT_NEAR(TopK({Task(), HeavyTask()}, 1), 31.0 / 32, 1e-12);
  // Any one of the four: 15/4 s. Two of them: their six pairs' least are
  // 1, 1, 1, 2, 2, 4.
  EXPECT_NEAR(TopK({Undecided()}, 1), 4.0 / 15, 1e-12);
  EXPECT_NEAR(TopK({Undecided()}, 2), 6.0 / 11, 1e-12);
}

TEST(RankingMetricsTest, BestK) {
  EXPECT_NEAR(BestK({Task()}, 2, 1), 1, 1e-12);
  EXPECT_NEAR(BestK({Task()}, 2, 2), 0.5, 1e-12);
  EXPECT_NEAR(BestK({Task(), HeavyTask()}, 2, 2), 31.0 / (2 + 3 * 40), 1e-12);
  // Fewer programs than the draft takes; and fewer than k.
  EXPECT_NEAR(BestK({Task()}, 10, 3), 0.25, 1e-12);
  EXPECT_NEAR(BestK({Task()}, 10, 7), 0.125, 1e-12);
  // The failed one takes 1e5 times the best.
  EXPECT_NEAR(BestK({HeavyTask()}, 3, 3), 1e-5, 1e-12);
  // The second in draft of the 2 s and one of the three others, which take 1, 4
  // and 8: 2, 4, 8.
  const TaskRanking partly = {.best_seconds = 1,
                              .scores = {1, 3, 1, 1},
                              .labels = {1, 0.5, 0.25, 0.125}};
  EXPECT_NEAR(BestK({partly}, 2, 2), 3.0 / 14, 1e-12);
}

TEST(RankingMetricsTest, RandomDrafts) {
  // The second fastest of two: 2, 4, 8, 4, 8, 8.
  EXPECT_NEAR(RandomBestK({Task()}, 2, 2), 6.0 / 34, 1e-12);
  EXPECT_NEAR(RandomBestK({Task()}, 2, 1), 6.0 / 11, 1e-12);
  EXPECT_NEAR(RandomBestK({Task()}, 4, 2), 0.5, 1e-12);
  EXPECT_NEAR(RandomBestK({Task(), HeavyTask()}, 3, 1),
              31.0 / ((1 + 1 + 1 + 2) / 4.0 + 30), 1e-12);
}

TEST(RankingMetricsTest, LargeDraftsStayExact) {
  // Of 2,000 programs that take 1, 2, …, the fastest of 500 drawn is expected
  // to take 2001 / 501.
  TaskRanking task = {.best_seconds = 1};
  for (int i = 1; i <= 2000; ++i) {
    task.scores.push_back(0);
    task.labels.push_back(1.0 / i);
  }
  EXPECT_NEAR(1 / RandomBestK({task}, 500, 1), 2001.0 / 501, 1e-8);
  EXPECT_NEAR(1 / BestK({task}, 500, 3), 3 * 2001.0 / 501, 1e-8);
}

}  // namespace
}  // namespace pruner
