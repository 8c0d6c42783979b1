#include "tools/initialization/study_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"
#include "tools/initialization/study_space.h"
#include "tools/initialization/study_statistics.h"
#include "tools/initialization/transfer.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
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

TEST_F(StudyRunTest, TheFirstBatchIsMostlyValid) {
  const StudyRun run = Run({});
  EXPECT_EQ(run.presampled, 2000);
  EXPECT_EQ(run.first_valid, 45);
  EXPECT_EQ(Run({.valid_share = 0.5}).first_valid, 25);
  EXPECT_EQ(Run({.valid_share = 1}).first_valid, 50);
  EXPECT_EQ(Run({.valid_share = 0}).first_valid, 0);
  const StudyRun random = Run(AtRandom());
  EXPECT_EQ(random.presampled, 0);
  EXPECT_LT(random.first_valid, 25);
}

TEST_F(StudyRunTest, SmallSpacesAreLookedAtWhole) {
  const StudySpace small(*FindVtaWorkload(3), VtaSpec());
  const auto run = RunStudy(small, {}, 1);
  ABSL_ASSERT_OK(run);
  EXPECT_EQ(run->presampled, small.knobs().size());
  EXPECT_EQ(run->first_valid, 21);  // all that there are
}

TEST_F(StudyRunTest, SameSeedSameRun) {
  EXPECT_EQ(Run({}, 3).points, Run({}, 3).points);
  EXPECT_NE(Run({}, 3).points, Run({}, 4).points);
}

// What it is told is that the last point is fastest, which it is not.
TEST_F(StudyRunTest, ABaseSaysWhereToBegin) {
  Initialization told = AtRandom();
  told.base = [this](absl::Span<const Candidate> candidates)
      -> absl::StatusOr<std::vector<float>> {
    std::vector<float> scores;
    for (const Candidate& candidate : candidates)
      scores.push_back(static_cast<float>(space_.IndexOf(candidate)));
    return scores;
  };
  const StudyRun run = Run(told);
  EXPECT_EQ(run.points[0], space_.knobs().size() - 1);
  EXPECT_GT(run.trials_to_optimum, 0);
}

TEST(TransferTest, LearnsFromAllOthers) {
  std::vector<std::unique_ptr<StudySpace>> spaces;
  for (const int id : {3, 48, 107})
    spaces.push_back(
        std::make_unique<StudySpace>(*FindVtaWorkload(id), VtaSpec()));
  const auto log = MakeTransferLog(spaces, 800, 1);
  ABSL_ASSERT_OK(log);
  // The first one has 768 points in all.
  EXPECT_THAT(log->points, ElementsAre(SizeIs(800), SizeIs(800), SizeIs(800)));
  EXPECT_EQ(log->NumOthers(0), 1600);
  EXPECT_GT(log->NumValidOthers(spaces, 0), 800);
  const auto base = LearnFromOthers(spaces, 1, *log);
  ABSL_ASSERT_OK(base);
  KnobSearchSpace points(spaces[1]->knobs());
  std::vector<Candidate> candidates;
  for (int64_t i = 0; i < spaces[1]->knobs().size(); ++i)
    candidates.push_back(points.CandidateOf(spaces[1]->knobs().PointAt(i)));
  const auto scores = (*base)(candidates);
  ABSL_ASSERT_OK(scores);
  EXPECT_THAT(*scores, SizeIs(candidates.size()));
  EXPECT_NE(*std::max_element(scores->begin(), scores->end()),
            *std::min_element(scores->begin(), scores->end()));
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
