// Searches that are killed and go on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/policy_table.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/scheduler_table.h"
#include "pruner/tune/tune_test_fixture.h"

namespace pruner {
namespace {

using ::testing::SizeIs;

struct SearchUnderTest {
  const PolicyEntry* policy;
  const SchedulerEntry* scheduler;
};

// Where a policy trains a model, which takes some seconds, with one scheduler.
std::vector<SearchUnderTest> Searches() {
  std::vector<SearchUnderTest> searches;
  for (const PolicyEntry& policy : SearchPolicies()) {
    for (const SchedulerEntry& scheduler : Schedulers()) {
      if (!policy.needs_cost_model || scheduler.name == kRoundRobin)
        searches.push_back({.policy = &policy, .scheduler = &scheduler});
    }
  }
  return searches;
}

class KilledSearchTest : public TuneTest,
                         public testing::WithParamInterface<SearchUnderTest> {};

INSTANTIATE_TEST_SUITE_P(
    Searches, KilledSearchTest, testing::ValuesIn(Searches()),
    [](const testing::TestParamInfo<SearchUnderTest>& info) {
      return absl::StrCat(info.param.policy->name, "_",
                          info.param.scheduler->name);
    });

// Between two rounds or in the middle of one, whatever chooses candidates and
// tasks.
TEST_P(KilledSearchTest, GoesOnAsIfNothingHadHappened) {
  constexpr size_t kTrials = 90, kStride = 4;
  constexpr int kRoundTrials = 5;
  std::vector<TuningTask> tasks = {Conv(), Matmul(), Tiny()};
  tasks[2].weight = 1000;  // whatever the scheduler, it gets exhausted
  const TuningOptions options = {.trials = kTrials,
                                 .round_trials = kRoundTrials};
  measurer_.takes = absl::ZeroDuration();
  policy_ = GetParam().policy;
  scheduler_ = GetParam().scheduler->make({}, std::make_unique<TotalTime>());
  // In the first round, after the first training, after the last one; or
  // anywhere in a round.
  std::vector<size_t> kills = {7, 38, 84};
  if (!policy_->needs_cost_model) {
    static_assert(std::gcd(kStride, kRoundTrials) == 1);
    kills.clear();
    for (size_t kill = 1; kill < kTrials; kill += kStride)
      kills.push_back(kill);
  }
  const TuningOutcome whole = TuneLogged(Path("whole"), tasks, options);
  EXPECT_TRUE(whole.tasks[2].exhausted);
  const std::vector<MeasureRecord> expected = Records(Path("whole"));
  ASSERT_THAT(expected, SizeIs(kTrials));
  for (const size_t killed_after : kills) {
    SCOPED_TRACE(killed_after);
    const std::string path = Path(absl::StrCat("killed", killed_after));
    TuneLogged(path, tasks, options, killed_after);
    const TuningOutcome outcome = TuneLogged(path, tasks, options);
    EXPECT_EQ(outcome.trials, kTrials);
    EXPECT_EQ(outcome.new_trials, kTrials - killed_after);
    EXPECT_EQ(outcome.tasks[1].default_seconds, whole.tasks[1].default_seconds);
    // The log tells the runs apart, and no more.
    std::vector<MeasureRecord> parts = Records(path);
    for (MeasureRecord& record : parts) {
      EXPECT_EQ(record.run,
                record.trial < static_cast<int64_t>(killed_after) ? 1 : 2);
      record.run = 1;
    }
    ASSERT_EQ(parts, expected);
  }
}

// With another seed the round that was not over is another one.
TEST_F(TuneTest, AnUnfinishedRoundOfOtherOptionsIsJustRecords) {
  for (const int64_t round_trials : {8, 3, 100}) {
    const std::string path = Path(absl::StrCat("log", round_trials));
    TuneLogged(path, {Conv(), Matmul()}, {.trials = 40}, 21);
    TuneLogged(path, {Conv(), Matmul()},
               {.trials = 60,
                .round_trials = static_cast<int>(round_trials),
                .seed = 7});
    const std::vector<MeasureRecord> records = Records(path);
    EXPECT_THAT(records, SizeIs(60));
    ExpectCountedAndDistinct(records);
  }
}

TEST_F(TuneTest, KilledAnywhereItKeepsAllRecordsAndGoesOn) {
  const std::vector<TuningTask> tasks = {Conv(), Matmul()};
  for (const size_t killed_after : {1, 5, 8, 19, 39}) {
    for (const bool torn : {false, true}) {
      const std::string path =
          Path(absl::StrCat("log", killed_after, torn ? "torn" : ""));
      TuneLogged(path, tasks, {.trials = 40}, killed_after);
      if (torn) {
        // The last record's write did not get to its end.
        std::string bytes = *ReadFile(path);
        bytes.resize(bytes.size() - 5);
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
      }
      const std::vector<MeasureRecord> before = Records(path);
      EXPECT_THAT(before, SizeIs(killed_after - (torn ? 1 : 0)));

      const TuningOutcome outcome = TuneLogged(path, tasks, {.trials = 40});
      EXPECT_EQ(outcome.trials, 40);
      EXPECT_EQ(outcome.new_trials, 40 - before.size());
      const std::vector<MeasureRecord> after = Records(path);
      ASSERT_THAT(after, SizeIs(40));
      ExpectCountedAndDistinct(after);
      EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
    }
  }
}

}  // namespace
}  // namespace pruner
