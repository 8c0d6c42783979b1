#include "pruner/base/retry.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"

namespace pruner {
namespace {

TEST(RetryTest, TriesAFewTimesHoweverLongTheyTake) {
  FakeClock clock;
  Retry retry(clock);
  clock.Advance(absl::Hours(1));
  EXPECT_TRUE(retry.Again(absl::Seconds(1)));
  clock.Advance(absl::Hours(1));
  EXPECT_TRUE(retry.Again(absl::Seconds(1)));
  clock.Advance(absl::Hours(1));
  EXPECT_FALSE(retry.Again(absl::Seconds(1)));
  EXPECT_EQ(retry.tries(), 3);
}

TEST(RetryTest, TriesUntilPatienceIsOverHoweverShortTheyAre) {
  FakeClock clock;
  Retry retry(clock);
  while (retry.Again(absl::Seconds(30))) clock.Advance(absl::Milliseconds(50));
  EXPECT_GT(retry.tries(), 50);
  EXPECT_LT(retry.tries(), 1000);
  EXPECT_GE(retry.elapsed(), absl::Seconds(30));
  EXPECT_LT(retry.elapsed(), absl::Seconds(31));
}

TEST(RetryTest, TriesAgainAtOnceWhatFailedOnce) {
  FakeClock clock;
  Retry retry(clock);
  EXPECT_TRUE(retry.Again(absl::ZeroDuration()));
  EXPECT_EQ(clock.Elapsed(), absl::ZeroDuration());
  EXPECT_TRUE(retry.Again(absl::ZeroDuration()));
  EXPECT_GT(clock.Elapsed(), absl::ZeroDuration());
}

}  // namespace
}  // namespace pruner
