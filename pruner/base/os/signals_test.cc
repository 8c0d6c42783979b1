#include "pruner/base/os/signals.h"

#include <signal.h>
#include <stdlib.h>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"

namespace pruner {
namespace {

TEST(InterruptFlagTest, TheFirstSignalSetsTheFlag) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const InterruptFlag flag;
    EXPECT_FALSE(flag.raised());
    raise(signal);
    EXPECT_TRUE(flag.raised());
    EXPECT_TRUE(flag.raised());
  }
}

TEST(InterruptFlagDeathTest, TheSecondSignalEndsTheProgram) {
  for (const int second : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          const InterruptFlag flag;
          raise(SIGINT);
          if (!flag.raised()) exit(1);
          raise(second);  // too soon to be meant
          RealClock().SleepFor(absl::Milliseconds(110));
          if (!flag.raised()) exit(2);
          raise(second);
          exit(3);
        },
        ::testing::ExitedWithCode(130), "");
  }
}

TEST(InterruptFlagDeathTest, SignalsWorkAsBeforeOnceItIsGone) {
  EXPECT_EXIT(
      {
        {
          const InterruptFlag flag;
          raise(SIGINT);
        }
        raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(InterruptFlagDeathTest, ThereIsOneAtATime) {
  const InterruptFlag flag;
  EXPECT_DEATH(InterruptFlag(), "another InterruptFlag");
}

}  // namespace
}  // namespace pruner
