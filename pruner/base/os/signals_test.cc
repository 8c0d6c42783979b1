#include "pruner/base/os/signals.h"

#include <signal.h>
#include <stdlib.h>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"

namespace pruner {
namespace {

class InterruptFlagTest : public testing::Test {
 protected:
  // Who runs the test may ignore it.
  void SetUp() override { signal(SIGHUP, SIG_DFL); }
};
using InterruptFlagDeathTest = InterruptFlagTest;

TEST_F(InterruptFlagTest, TheFirstSignalSetsTheFlag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const InterruptFlag flag;
    EXPECT_FALSE(flag.raised());
    raise(signal);
    EXPECT_TRUE(flag.raised());
    EXPECT_TRUE(flag.raised());
  }
}

TEST_F(InterruptFlagDeathTest, TheSecondSignalEndsTheProgram) {
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

TEST_F(InterruptFlagTest, NoHangUpEndsTheProgramAtOnce) {
  const InterruptFlag flag;
  raise(SIGINT);
  RealClock().SleepFor(absl::Milliseconds(110));
  raise(SIGHUP);
  EXPECT_TRUE(flag.raised());
}

TEST_F(InterruptFlagTest, AHangUpThatIsIgnoredStaysSo) {
  signal(SIGHUP, SIG_IGN);
  {
    const InterruptFlag flag;
    raise(SIGHUP);
    EXPECT_FALSE(flag.raised());
  }
  EXPECT_EQ(signal(SIGHUP, SIG_DFL), SIG_IGN);
}

TEST_F(InterruptFlagDeathTest, SignalsWorkAsBeforeOnceItIsGone) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          {
            const InterruptFlag flag;
            raise(SIGINT);
          }
          raise(signal);
        },
        ::testing::KilledBySignal(signal), "");
  }
}

TEST_F(InterruptFlagDeathTest, ThereIsOneAtATime) {
  const InterruptFlag flag;
  EXPECT_DEATH(InterruptFlag(), "another InterruptFlag");
}

}  // namespace
}  // namespace pruner
