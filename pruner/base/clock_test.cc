#include "pruner/base/clock.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(RealClockTest, FollowsTheSystem) {
  EXPECT_LT(absl::AbsDuration(RealClock().Now() - absl::Now()),
            absl::Minutes(1));
}

TEST(RealClockTest, SleepsForTheDurationAsked) {
  const absl::Duration before = RealClock().Elapsed();
  RealClock().SleepFor(absl::Milliseconds(20));
  EXPECT_GE(RealClock().Elapsed() - before, absl::Milliseconds(20));
  RealClock().SleepFor(-absl::Hours(1));
}

TEST(FakeClockTest, MovesOnlyWhenTold) {
  FakeClock clock(absl::FromUnixSeconds(1000));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(1000));
  EXPECT_EQ(clock.Elapsed(), absl::ZeroDuration());
  clock.Advance(absl::Seconds(5));
  clock.SleepFor(absl::Hours(1));
  clock.SleepFor(-absl::Hours(2));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(4605));
  EXPECT_EQ(clock.Elapsed(), absl::Seconds(3605));
}

}  // namespace
}  // namespace pruner
