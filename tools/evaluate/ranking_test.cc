#include "tools/evaluate/ranking.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Programs without schedules: nothing here looks at these.
DataTask Task(const std::vector<std::optional<double>>& seconds) {
  DataTask task = {.name = "task"};
  for (const std::optional<double>& each : seconds)
    task.programs.push_back({.seconds = each});
  return task;
}

TEST(RankingTest, PerfectScores) {
  const DataSet data = {.tasks = {Task({4, 2, 1, 8})}};
  const Scores scores = {{0.25, 0.5, 1, 0.125}};
  const auto tasks =
      RankTasks(data, scores, {.drafts = {2}, .scores_are_labels = true});
  ASSERT_THAT(tasks, SizeIs(1));
  EXPECT_EQ(tasks[0].task(), "task");
  EXPECT_EQ(tasks[0].programs(), 4);
  EXPECT_EQ(tasks[0].failures(), 0);
  EXPECT_EQ(tasks[0].pairwise_accuracy(), 1);
  EXPECT_EQ(tasks[0].recall_at_30(), 1);
  EXPECT_EQ(tasks[0].rmse(), 0);
  EXPECT_EQ(tasks[0].r_squared(), 1);
  ASSERT_THAT(tasks[0].drafts(), SizeIs(3));
  EXPECT_EQ(tasks[0].drafts(0).size(), 1);
  EXPECT_EQ(tasks[0].drafts(0).best(), 1);
  EXPECT_NEAR(tasks[0].drafts(0).random(), 1 / 3.75, 1e-12);
  EXPECT_EQ(tasks[0].drafts(1).size(), 5);
  EXPECT_EQ(tasks[0].drafts(2).size(), 2);
  EXPECT_FALSE(tasks[0].has_noise());
  EXPECT_FALSE(tasks[0].has_validity());
}

TEST(RankingTest, WhereProgramsFailed) {
  const DataSet data = {.tasks = {Task({4, std::nullopt, 1})}};
  const auto all = RankAll(data, {{3, 2, 1}}, {});
  EXPECT_EQ(all.failures(), 1);
  EXPECT_EQ(all.validity().valid_pairs(), 0);
  EXPECT_EQ(all.validity().failed_pairs(), 0.5);
  EXPECT_DOUBLE_EQ(all.validity().precision_at_50(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(all.validity().ndcg_at_50(),
                   (0.25 + 1.0 / 2) / (1 + 0.25 / std::log2(3)));
}

TEST(RankingTest, WrongScores) {
  const DataSet data = {.tasks = {Task({4, 2, 1, 8})}};
  const auto all = RankAll(data, {{3, 2, 1, 4}}, {.drafts = {3, 1}});
  EXPECT_EQ(all.pairwise_accuracy(), 0);
  EXPECT_FALSE(all.has_rmse());
  ASSERT_THAT(all.drafts(), SizeIs(3));  // 1 is there anyway
  EXPECT_DOUBLE_EQ(all.drafts(0).best(), 1.0 / 8);
  EXPECT_DOUBLE_EQ(all.drafts(2).best(), 1.0 / 2);
}

TEST(RankingTest, AllTasksTogether) {
  const DataSet data = {.tasks = {Task({1, 2}), Task({10, 30})}};
  const auto all = RankAll(data, {{2, 1}, {1, 2}}, {});
  EXPECT_EQ(all.task(), "");
  EXPECT_EQ(all.programs(), 4);
  EXPECT_EQ(all.pairwise_accuracy(), 0.5);
  EXPECT_DOUBLE_EQ(all.drafts(0).best(), 11.0 / 31);
}

TEST(RankingTest, FailuresAreTheSlowest) {
  const DataSet data = {.tasks = {Task({1, std::nullopt})}};
  const auto all = RankAll(data, {{1, 2}}, {});
  EXPECT_EQ(all.programs(), 2);
  EXPECT_EQ(all.failures(), 1);
  EXPECT_EQ(all.pairwise_accuracy(), 0);
  EXPECT_LT(all.drafts(0).best(), 1e-4);
}

TEST(RankingTest, ChoicesAreAmongWhatIsJudged) {
  const DataSet data = {.tasks = {Task({1, 2, 4, 4})}};
  const Scores scores = {{std::nullopt, 0.5, 0.25, std::nullopt}};
  const auto all = RankAll(data, scores, {.scores_are_labels = true});
  EXPECT_EQ(all.programs(), 2);
  EXPECT_EQ(all.drafts(0).best(), 1);
  // Labels are by the fastest of all.
  EXPECT_EQ(all.rmse(), 0);
}

TEST(RankingTest, ATaskOfWhichNothingJudgedRanIsLeftOut) {
  const DataSet data = {.tasks = {Task({1, std::nullopt}), Task({1, 2})}};
  const Scores scores = {{std::nullopt, 1}, {2, 1}};
  const auto tasks = RankTasks(data, scores, {});
  EXPECT_THAT(tasks, SizeIs(1));
  EXPECT_EQ(RankAll(data, scores, {}).pairwise_accuracy(), 1);
  EXPECT_THAT(RankTasks(data, {{std::nullopt, 1}, {}}, {}), IsEmpty());
}

TEST(RankingTest, NoiseIsOfTwoTimings) {
  DataSet data = {.tasks = {Task({1, 2}), Task({1, 2})}};
  data.tasks[0].timed_twice = {{1, 1.1}, {2, 1}};
  data.tasks[1].timed_twice = {{1, 1}};
  const Scores scores = {{1, 2}, {1, 2}};
  const auto all = RankAll(data, scores, {});
  EXPECT_EQ(all.noise().programs(), 3);
  EXPECT_DOUBLE_EQ(all.noise().median(), 1.1);
  EXPECT_DOUBLE_EQ(all.noise().p90(), 1.82);
  EXPECT_EQ(RankTasks(data, scores, {})[1].noise().median(), 1);
}

}  // namespace
}  // namespace pruner
