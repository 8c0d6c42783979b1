#include "pruner/tune/progress_line.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/measure/measure_result.h"
#include "pruner/tune/tuning_progress.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TuningProgress Progress(int64_t done) {
  return {.done = done,
          .total = 2000,
          .elapsed = absl::Seconds(24),
          .trials_per_second = 5.1,
          .remaining = absl::Seconds(365),
          .network_seconds = 0.0174,
          .last = {.result = {.seconds = {1.23e-3}}},
          .task = "conv2d_3x3"};
}

TEST(FormatProgressTest, EverythingKnown) {
  EXPECT_EQ(FormatProgress(Progress(123)),
            "123/2000 trials  5.10/s  6m05s left  network 17.4 ms  "
            "conv2d_3x3: 1.23 ms");
}

TEST(FormatProgressTest, LittleKnown) {
  EXPECT_EQ(FormatProgress({.done = 1,
                            .total = 2,
                            .last = {.result = FailedResult(
                                         FailureKind::kRunTimeout, "slow")},
                            .task = "conv"}),
            "1/2 trials  network not complete  conv: run_timeout");
}

TEST(FormatProgressTest, NothingLeft) {
  TuningProgress progress = Progress(2000);
  progress.remaining = absl::ZeroDuration();
  EXPECT_EQ(FormatProgress(progress),
            "2000/2000 trials  5.10/s  network 17.4 ms  conv2d_3x3: 1.23 ms");
}

TEST(FormatProgressTest, FitsTheColumns) {
  TuningProgress progress = Progress(123);
  progress.task = "convolution_é_of_the_third_stage_with_add";
  const std::string line = FormatProgress(progress);
  EXPECT_EQ(CutToColumns(line, 200), line);
  EXPECT_EQ(CutToColumns(line, 80),
            "123/2000 trials  5.10/s  6m05s left  network 17.4 ms  "
            "convolution_é_of_the_thir…");
  EXPECT_EQ(CutToColumns(line, 68),
            "123/2000 trials  5.10/s  6m05s left  network 17.4 ms  "
            "convolution_é…");
  EXPECT_EQ(CutToColumns(line, 5), "123/…");
}

TEST(FormatProgressTest, NamesCannotTakeTheLineApart) {
  TuningProgress progress = Progress(123);
  progress.task = "a\nb\x1b[2Jc";
  EXPECT_EQ(FormatProgress(progress),
            "123/2000 trials  5.10/s  6m05s left  network 17.4 ms  "
            "a b [2Jc: 1.23 ms");
}

class ProgressLineTest : public testing::Test {
 protected:
  ProgressLine Make(const ProgressLine::Options& options) {
    return {clock_, options,
            [this](absl::string_view text) { written_.emplace_back(text); }};
  }

  FakeClock clock_;
  std::vector<std::string> written_;
};

TEST_F(ProgressLineTest, PlainLinesNowAndThenAndTheLast) {
  ProgressLine line = Make({});
  for (int trial = 1; trial <= 13; ++trial) {
    line.OnProgress(Progress(trial));
    clock_.Advance(absl::Seconds(1));
  }
  line.Finish();
  line.Finish();
  EXPECT_THAT(written_, ElementsAre(FormatProgress(Progress(1)) + "\n",
                                    FormatProgress(Progress(6)) + "\n",
                                    FormatProgress(Progress(11)) + "\n",
                                    FormatProgress(Progress(13)) + "\n"));
}

TEST_F(ProgressLineTest, TerminalsRewriteOneLine) {
  ProgressLine line = Make({.terminal = true, .columns = 40});
  TuningProgress long_line = Progress(1);
  TuningProgress short_line = {.done = 2,
                               .total = 3,
                               .network_seconds = 1,
                               .last = long_line.last,
                               .task = "c"};
  line.OnProgress(long_line);
  clock_.Advance(absl::Milliseconds(50));
  line.OnProgress(long_line);  // too soon
  clock_.Advance(absl::Milliseconds(50));
  line.OnProgress(short_line);
  line.Finish();
  EXPECT_THAT(written_,
              ElementsAre("\r1/2000 trials  5.10/s  6m05s left  net…",
                          "\r2/3 trials  network 1.00 s  c: 1.23 ms ", "\n"));
}

TEST(FormatProgressTest, ARace) {
  EXPECT_EQ(FormatProgress({.task = 3, .tasks = 33, .network_seconds = 0.0179}),
            "timing candidates again: task 3 of 33  network 17.9 ms");
  EXPECT_EQ(FormatProgress({.task = 1, .tasks = 2}),
            "timing candidates again: task 1 of 2  network not complete");
}

TEST_F(ProgressLineTest, ARaceIsOnePlainLine) {
  ProgressLine line = Make({});
  line.OnProgress(Progress(1));
  line.OnProgress(Progress(2));
  for (int task = 1; task <= 3; ++task) {
    line.OnRace({.task = task, .tasks = 3});
    clock_.Advance(absl::Seconds(10));
  }
  line.Finish();
  EXPECT_THAT(written_, ElementsAre(FormatProgress(Progress(1)) + "\n",
                                    FormatProgress(Progress(2)) + "\n",
                                    "timing candidates again: 3 tasks\n"));
}

TEST_F(ProgressLineTest, ARaceRewritesALineOfItsOwn) {
  ProgressLine line = Make({.terminal = true, .columns = 42});
  line.OnProgress(Progress(1));
  for (int task = 1; task <= 3; ++task) line.OnRace({.task = task, .tasks = 3});
  line.Finish();
  EXPECT_THAT(written_,
              ElementsAre("\r1/2000 trials  5.10/s  6m05s left  netwo…", "\n",
                          "\rtiming candidates again: task 1 of 3  ne…",
                          "\rtiming candidates again: task 3 of 3  ne…", "\n"));
}

TEST_F(ProgressLineTest, NothingHappenedNothingWritten) {
  Make({}).Finish();
  Make({.terminal = true}).Finish();
  EXPECT_THAT(written_, ElementsAre());
}

}  // namespace
}  // namespace pruner
