#include "tools/initialization/study_run.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"
#include "tools/initialization/study_space.h"
#include "tools/initialization/study_statistics.h"
#include "tools/initialization/transfer.h"

namespace pruner {
namespace {

using ::testing::SizeIs;

class StudyRunTest : public testing::Test {
 protected:
  StudyRun Run(const Initialization& initialization, uint64_t seed = 1,
               const StudyOptions& options = {}) {
    auto run = RunStudy(space_, initialization, seed, options);
    ABSL_EXPECT_OK(run);
    return *std::move(run);
  }

  bool IsValid(int64_t point) const {
    return space_.throughputs()[static_cast<size_t>(point)] > 0;
  }

  const StudySpace space_{*FindVtaWorkload(48), VtaSpec()};
};

TEST_F(StudyRunTest, MeasuresEachPointOnceUntilTheOptimum) {
  for (const Initialization& initialization : {Initialization(), AtRandom()}) {
    const StudyRun run = Run(initialization);
    const std::set<int64_t> points(run.points.begin(), run.points.end());
    EXPECT_EQ(points.size(), run.points.size());
    ASSERT_GT(run.trials_to_optimum, 0);
    EXPECT_EQ(space_.throughputs()[static_cast<size_t>(
                  run.points[static_cast<size_t>(run.trials_to_optimum) - 1])],
              space_.best());
    // It ends with the batch in which that was.
    EXPECT_LT(run.points.size(),
              static_cast<size_t>(run.trials_to_optimum) + 50);
  }
}

TEST_F(StudyRunTest, GoesOnIfItIsTo) {
  const StudyOptions options = {.trials = 330, .ends_at_optimum = false};
  EXPECT_THAT(Run(AtRandom(), 1, options).points, SizeIs(330));
}

TEST_F(StudyRunTest, TheFirstBatchIsHalfValid) {
  const StudyRun run = Run({});
  // A fifth of 2,240 points, in whole batches.
  EXPECT_GE(run.presampled, 448);
  EXPECT_LT(run.presampled, 448 + 50);
  EXPECT_EQ(run.first_valid, 25);
  EXPECT_EQ(Run({.valid_share = 1}).first_valid, 50);
  EXPECT_EQ(Run({.valid_share = 0}).first_valid, 0);
  const StudyRun random = Run(AtRandom());
  EXPECT_EQ(random.presampled, 0);
  EXPECT_LT(random.first_valid, 25);
}

TEST_F(StudyRunTest, SameSeedSameRun) {
  EXPECT_EQ(Run({}, 3).points, Run({}, 3).points);
  EXPECT_NE(Run({}, 3).points, Run({}, 4).points);
}

TEST_F(StudyRunTest, OtherWorkloadsSayWhereToBegin) {
  std::vector<std::unique_ptr<StudySpace>> spaces;
  for (const int id : {48, 107})
    spaces.push_back(
        std::make_unique<StudySpace>(*FindVtaWorkload(id), VtaSpec()));
  const auto log = MakeTransferLog(spaces, 800, 1);
  ABSL_ASSERT_OK(log);
  EXPECT_EQ(log->NumOthers(0), 800);
  EXPECT_GT(log->NumValidOthers(spaces, 0), 100);
  auto base = LearnFromOthers(spaces, 0, *log);
  ABSL_ASSERT_OK(base);
  Initialization transfer = AtRandom();
  transfer.base = *base;
  auto run = RunStudy(*spaces[0], transfer, 1);
  ABSL_ASSERT_OK(run);
  // What runs on one runs on the other, mostly.
  EXPECT_GT(run->first_valid, 2 * Run(AtRandom()).first_valid);
}

TEST(StatisticsOfTest, CountsWhatWasNotFoundAsTheLastTrial) {
  std::vector<StudyRun> runs(4);
  for (int i = 0; i < 3; ++i)
    runs[static_cast<size_t>(i)].trials_to_optimum = 100 * (i + 1);
  const TrialsToOptimum of = StatisticsOf(runs, 400);
  EXPECT_DOUBLE_EQ(of.mean, 250);
  EXPECT_DOUBLE_EQ(of.median, 250);
  EXPECT_DOUBLE_EQ(of.quartile_range, 150);
  EXPECT_DOUBLE_EQ(of.found, 0.75);
  // 1.96 standard errors: a standard deviation of 129.1 over 2.
  EXPECT_NEAR(of.half_interval, 126.5, 0.1);
}

}  // namespace
}  // namespace pruner
