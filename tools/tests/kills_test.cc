// tune and its workers under fire: whatever is killed, and whenever, no record
// that was on disk is lost and no task is doomed.
//
// How often is said by the environment; what CI does takes half a minute.
//
//   bazel test -c opt //tools/tests:kills_test --test_timeout=3600
//     --test_env=PRUNER_TUNER_KILLS=200 --test_env=PRUNER_WORKER_KILLS=50
#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

// More than are measured before the last kill.
constexpr int kManyTrials = 1000000;

int Count(const std::string& variable, int usual) {
  int count = usual;
  if (const auto value = GetEnv(variable)) {
    EXPECT_TRUE(absl::SimpleAtoi(*value, &count)) << variable;
  }
  return count;
}

class KillsTest : public testing::Test {
 protected:
  Process StartTune() const {
    return user_.Start("tune", {"--model=tiny", "--output_dir=out", "--race=0",
                                absl::StrCat("--trials=", kManyTrials)});
  }

  std::vector<MeasureRecord> Records() const {
    const auto log = ReadRecordLog(user_.File("out/records.log"));
    return log.ok() ? log->records : std::vector<MeasureRecord>();
  }

  // A run that goes on for some trials and ends as it should, with a network
  // all of whose tasks have valid records.
  void ExpectGoesOn(size_t trials) const {
    const CommandResult result =
        user_.Run("tune", {"--model=tiny", "--output_dir=out", "--race=0",
                           absl::StrCat("--trials=", trials)});
    ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
    const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
    for (const proto::TaskSummary& task : summary.tasks())
      EXPECT_GT(task.best_ms(), 0) << task.name();
    ExpectNoFailureByKills();
  }

  void ExpectNoFailureByKills() const {
    for (const MeasureRecord& record : Records()) {
      if (record.result.ok()) continue;
      const FailureKind kind = record.result.failure->kind;
      EXPECT_NE(kind, FailureKind::kCrash) << record.result.failure->message;
      EXPECT_NE(kind, FailureKind::kLostWorker);
      EXPECT_NE(kind, FailureKind::kProtocol);
    }
  }

  Workplace user_;
  Rng rng_{1};
};

TEST_F(KillsTest, TunersLoseNothing) {
  const int kills = Count("PRUNER_TUNER_KILLS", 8);
  std::vector<MeasureRecord> before;
  // More and later ones on a machine that is too busy to write a record.
  for (int i = 0; i < kills || (before.empty() && i < kills + 20); ++i) {
    Process tune = StartTune();
    // Starting up, checking formulations, measuring, writing: all of it.
    RealClock().SleepFor(
        absl::Milliseconds(rng_.Uniform(20, i < kills ? 4000 : 20000)));
    // What is there when the signal is sent is there for good.
    const std::vector<MeasureRecord> acknowledged = Records();
    ASSERT_EQ(kill(tune.pid(), SIGKILL), 0);
    ASSERT_EQ(tune.Wait().signal, SIGKILL)
        << ReadFileOrDie(user_.File("stderr"));
    const std::vector<MeasureRecord> after = Records();
    ASSERT_GE(acknowledged.size(), before.size());
    ASSERT_GE(after.size(), acknowledged.size());
    EXPECT_TRUE(std::equal(before.begin(), before.end(), acknowledged.begin()));
    EXPECT_TRUE(
        std::equal(acknowledged.begin(), acknowledged.end(), after.begin()));
    before = after;
  }
  EXPECT_GT(before.size(), 0u);
  ExpectGoesOn(before.size() + 20);
}

TEST_F(KillsTest, WorkersDoomNoTask) {
  const int kills = Count("PRUNER_WORKER_KILLS", 6);
  Process tune = StartTune();
  ASSERT_TRUE(WaitUntil([&] { return Records().size() >= 3; }))
      << ReadFileOrDie(user_.File("stderr"));
  for (int i = 0; i < kills; ++i) {
    RealClock().SleepFor(absl::Milliseconds(rng_.Uniform(50, 800)));
    ASSERT_TRUE(IsRunning(tune.pid())) << ReadFileOrDie(user_.File("stderr"));
    // The one that has the learned model is among them.
    const std::vector<pid_t> workers = ChildrenOf(tune.pid());
    if (workers.empty()) {
      --i;  // both were killed just now
      continue;
    }
    const auto last = static_cast<int64_t>(workers.size()) - 1;
    kill(workers[rng_.Uniform(0, last)], SIGKILL);
  }
  const size_t trials = Records().size();
  ASSERT_TRUE(WaitUntil([&] { return Records().size() > trials; }))
      << ReadFileOrDie(user_.File("stderr"));
  ASSERT_EQ(kill(tune.pid(), SIGINT), 0);
  EXPECT_EQ(tune.Wait().ToString(), "exited with code 0")
      << ReadFileOrDie(user_.File("stderr"));
  ExpectNoFailureByKills();
  ExpectGoesOn(Records().size() + 20);
}

}  // namespace
}  // namespace pruner
