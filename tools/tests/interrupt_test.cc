// tune when it is interrupted: nothing that was measured is lost, and nothing
// is left running.
#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// More than are measured before the signal.
constexpr int kManyTrials = 4000;

class InterruptTest : public testing::Test {
 protected:
  Process StartTune() const {
    return user_.Start("tune",
                       {"--model=tiny", "--output_dir=out", "--time_limit=2m",
                        absl::StrCat("--trials=", kManyTrials)});
  }

  std::vector<MeasureRecord> Trials() const {
    const auto log = ReadRecordLog(user_.File("out/records.log"));
    return log.ok() ? TrialsOf(*log) : std::vector<MeasureRecord>();
  }

  // Waits until some trials are in the log.
  void AwaitRecords() const {
    ASSERT_TRUE(WaitUntil([&] { return Trials().size() >= 3; }))
        << ReadFileOrDie(user_.File("stderr"));
  }

  // That the signal ends the search and nothing else.
  void ExpectEndsSearch(int signal) const {
    Process tune = StartTune();
    AwaitRecords();
    ASSERT_EQ(kill(tune.pid(), signal), 0);
    EXPECT_EQ(tune.Wait().ToString(), "exited with code 0")
        << ReadFileOrDie(user_.File("stderr"));
    const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
    EXPECT_EQ(summary.ended(), "interrupted");
    EXPECT_LT(summary.trials(), kManyTrials);
    EXPECT_EQ(summary.trials(), Trials().size());
    EXPECT_GT(summary.network_latency_ms(), 0);
    EXPECT_THAT(ReadFileOrDie(user_.File("stdout")),
                HasSubstr("\nwhole network: "));
  }

  Workplace user_;
};

bool EndSoon(const std::vector<pid_t>& processes) {
  return WaitUntil([&] {
    return std::none_of(processes.begin(), processes.end(), IsRunning);
  });
}

TEST_F(InterruptTest, KilledItGoesOn) {
  Process tune = StartTune();
  AwaitRecords();
  const std::vector<pid_t> workers = ChildrenOf(tune.pid());
  EXPECT_THAT(workers, Not(IsEmpty()));
  ASSERT_EQ(kill(tune.pid(), SIGKILL), 0);
  // Before Wait, which would kill what is left.
  EXPECT_TRUE(EndSoon(workers));
  EXPECT_EQ(tune.Wait().signal, SIGKILL);

  const std::vector<MeasureRecord> before = Trials();
  const size_t trials = before.size() + 3;
  const CommandResult again = user_.Run(
      "tune",
      {"--model=tiny", "--output_dir=out", absl::StrCat("--trials=", trials)});
  EXPECT_EQ(again.exit_code, 0) << again.stderr_text;
  EXPECT_THAT(again.stdout_text,
              HasSubstr(absl::StrCat("\ngoing on after ", before.size())));
  const std::vector<MeasureRecord> after = Trials();
  ASSERT_EQ(after.size(), trials);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
}

TEST_F(InterruptTest, InterruptedOnceItShowsWhatItFound) {
  ExpectEndsSearch(SIGINT);
}

TEST_F(InterruptTest, WithoutItsTerminalItKeepsWhatItFound) {
  ExpectEndsSearch(SIGHUP);
}

TEST_F(InterruptTest, InterruptedTwiceItQuits) {
  Process tune = StartTune();
  AwaitRecords();
  const std::vector<pid_t> workers = ChildrenOf(tune.pid());
  // The second is one that comes a while after the first.
  EXPECT_TRUE(WaitUntil([&] {
    kill(tune.pid(), SIGINT);
    RealClock().SleepFor(absl::Milliseconds(60));
    return !IsRunning(tune.pid());
  }));
  EXPECT_TRUE(EndSoon(workers));
  const ExitStatus status = tune.Wait();
  EXPECT_EQ(status.signal, 0);
  EXPECT_EQ(status.exit_code, 130);
  // Nobody has checked it.
  EXPECT_FALSE(FileExists(user_.File("out/tiny.tuned")));
  EXPECT_GE(Trials().size(), 3);
}

}  // namespace
}  // namespace pruner
