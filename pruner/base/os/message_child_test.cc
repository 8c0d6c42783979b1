#include "pruner/base/os/message_child.h"

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/os/process.h"
#include "pruner/base/os/subprocess.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kProgram[] = "pruner/base/os/message_test_child";
constexpr absl::Duration kLong = absl::Seconds(60);
constexpr absl::Duration kShort = absl::Milliseconds(200);

MessageChild StartChild(const ProcessOptions& options = {}) {
  auto child = MessageChild::Start({kProgram}, options);
  EXPECT_THAT(child, IsOk());
  return *std::move(child);
}

absl::StatusOr<std::string> Ask(MessageChild& child, const std::string& request,
                                absl::Duration timeout = kLong) {
  absl::Status sent = child.Send(request, kLong);
  if (!sent.ok()) return sent;
  return child.Receive(timeout);
}

auto IsEnd(const std::string& text) {
  return StatusIs(absl::StatusCode::kUnavailable, HasSubstr(text));
}

auto IsTimeout() { return StatusIs(absl::StatusCode::kDeadlineExceeded); }

bool DiesSoon(absl::string_view pid) {
  const auto is_dead = [pid] {
    const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
    return !stat.ok() || absl::StrContains(*stat, ") Z ");
  };
  for (int i = 0; i < 1000 && !is_dead(); ++i) {
    RealClock().SleepFor(absl::Milliseconds(10));
  }
  return is_dead();
}

TEST(MessageChildTest, AnswersInOrder) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "echo one"), IsOkAndHolds("one"));
  EXPECT_THAT(Ask(child, "echo "), IsOkAndHolds(""));
  EXPECT_THAT(child.Send("echo two", kLong), IsOk());
  EXPECT_THAT(child.Send("echo three", kLong), IsOk());
  EXPECT_THAT(child.Receive(kLong), IsOkAndHolds("two"));
  EXPECT_THAT(child.Receive(kLong), IsOkAndHolds("three"));
  EXPECT_EQ(child.exit_status(), std::nullopt);
}

TEST(MessageChildTest, SendsBigMessagesBothWays) {
  MessageChild child = StartChild();
  std::string big(10 << 20, '\0');
  for (size_t i = 0; i < big.size(); ++i)
    big[i] = static_cast<char>(i * 7 >> 3);
  EXPECT_TRUE(Ask(child, "echo " + big).value_or("") == big);
  // Both sides send before they read.
  ASSERT_THAT(child.Send("send 10000000", kLong), IsOk());
  ASSERT_THAT(child.Send("echo " + big, kLong), IsOk());
  EXPECT_THAT(child.Receive(kLong), IsOkAndHolds(SizeIs(10000000)));
  EXPECT_TRUE(child.Receive(kLong).value_or("") == big);
}

TEST(MessageChildTest, TellsHowAChildEnded) {
  MessageChild exits = StartChild();
  EXPECT_THAT(Ask(exits, "exit 3"), IsEnd("exited with code 3"));
  EXPECT_EQ(exits.exit_status()->exit_code, 3);
  MessageChild crashes = StartChild();
  // (Sanitizers turn other signals of a crash into an exit.)
  EXPECT_THAT(Ask(crashes, "signal 6"), IsEnd("signal 6 (Aborted)"));
  EXPECT_EQ(crashes.exit_status()->signal, SIGABRT);
  // It stays so.
  EXPECT_THAT(crashes.Receive(kLong), IsEnd("signal 6"));
  EXPECT_THAT(crashes.Send("echo", kLong), IsEnd("signal 6"));
}

TEST(MessageChildTest, ShowsTheEndOfTheOutputOfAChildThatEnded) {
  MessageChild child = StartChild();
  const absl::Status ended = Ask(child, "moan").status();
  EXPECT_THAT(
      ended,
      IsEnd("exited with code 1; the end of its output:\nline 81\nline 82\n"));
  EXPECT_THAT(ended.message(),
              AllOf(HasSubstr("line 100"), Not(HasSubstr("line 80\n"))));
  EXPECT_THAT(child.output(), HasSubstr("line 1\n"));
}

TEST(MessageChildTest, DeliversWhatWasSentBeforeTheEnd) {
  MessageChild child = StartChild();
  ASSERT_THAT(child.Send("send 100000", kLong), IsOk());
  ASSERT_THAT(child.Send("exit 0", kLong), IsOk());
  EXPECT_TRUE(DiesSoon(absl::StrCat(child.pid())));
  EXPECT_THAT(child.Receive(kLong), IsOkAndHolds(std::string(100000, 'x')));
  EXPECT_THAT(child.Receive(kLong), IsEnd("exited with code 0"));
}

TEST(MessageChildTest, AHangingChildCostsTheTimeoutOnly) {
  MessageChild child = StartChild();
  const absl::Duration start = RealClock().Elapsed();
  EXPECT_THAT(Ask(child, "hang", kShort), IsTimeout());
  EXPECT_THAT(child.Receive(absl::ZeroDuration()), IsTimeout());
  child.Kill();
  EXPECT_GE(RealClock().Elapsed() - start, kShort);
  EXPECT_LT(RealClock().Elapsed() - start, kLong / 2);
  EXPECT_THAT(child.Receive(kLong), IsEnd("signal 9 (Killed)"));
}

TEST(MessageChildTest, AStoppedChildCanBeKilled) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "signal 19", kShort), IsTimeout());
  child.Kill();
  EXPECT_EQ(child.exit_status()->signal, SIGKILL);
}

TEST(MessageChildTest, ASlowAnswerCanBeAwaitedAgain) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "sleep 500", absl::Milliseconds(10)), IsTimeout());
  EXPECT_THAT(child.Receive(kLong), IsOkAndHolds("slept"));
}

TEST(MessageChildTest, WhatIsNotWantedIsNotAwaited) {
  MessageChild child = StartChild();
  ASSERT_THAT(child.Send("sleep 500", kLong), IsOk());
  int asked = 0;
  const absl::Duration start = RealClock().Elapsed();
  EXPECT_THAT(child.Receive(kLong, [&] { return ++asked == 3; }),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_LT(RealClock().Elapsed() - start, kLong / 2);
  // It is there when it is wanted after all.
  EXPECT_THAT(child.Receive(kLong, [] { return false; }),
              IsOkAndHolds("slept"));
}

TEST(MessageChildTest, AChildThatDoesNotReadStopsTheSender) {
  MessageChild child = StartChild();
  ASSERT_THAT(child.Send("hang", kLong), IsOk());
  const std::string big(10 << 20, 'x');
  EXPECT_THAT(child.Send(big, kShort), IsTimeout());
  EXPECT_THAT(
      child.Send("x", kShort),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("in part")));
}

TEST(MessageChildTest, AChildThatEndsWhileItIsSentToIsNoticed) {
  MessageChild child = StartChild();
  ASSERT_THAT(child.Send("exit 5", kLong), IsOk());
  EXPECT_THAT(child.Send(std::string(10 << 20, 'x'), kLong),
              IsEnd("exited with code 5"));
}

TEST(MessageChildTest, MemoryIsLimited) {
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) || defined(ABSL_HAVE_THREAD_SANITIZER)
  GTEST_SKIP() << "the sanitizer reserves more address space than any limit";
#endif
  MessageChild child = StartChild({.max_memory_bytes = int64_t{1} << 30});
  EXPECT_THAT(Ask(child, "allocate 100"), IsOkAndHolds("allocated"));
  EXPECT_THAT(Ask(child, "allocate 2000"), IsOkAndHolds("out of memory"));
  EXPECT_THAT(Ask(child, "echo still here"), IsOkAndHolds("still here"));
}

TEST(MessageChildTest, NoiseOnStdoutAndStderrDisturbsNothing) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "noise 5000000"), IsOkAndHolds("shouted"));
  EXPECT_LE(child.output().size(), 64 << 10);
  EXPECT_THAT(child.output(), HasSubstr("zzzz"));
}

TEST(MessageChildTest, EndlessNoiseDoesNotDelayTheTimeout) {
  MessageChild child = StartChild();
  const absl::Duration start = RealClock().Elapsed();
  EXPECT_THAT(Ask(child, "noise 1000000000000", kShort), IsTimeout());
  EXPECT_LT(RealClock().Elapsed() - start, kLong / 2);
}

TEST(MessageChildTest, GarbageIsNoMessage) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "garbage"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(kProgram), HasSubstr("no message"))));
}

TEST(MessageChildTest, AChildThatHangsUpIsKilled) {
  MessageChild child = StartChild();
  EXPECT_THAT(Ask(child, "hang up"), IsEnd("closed its connection"));
  EXPECT_EQ(child.exit_status()->signal, SIGKILL);
}

TEST(MessageChildTest, OptionsReachTheChild) {
  MessageChild child =
      StartChild({.environment = {{"PRUNER_TEST_VARIABLE", "v"}}});
  EXPECT_THAT(Ask(child, "env PRUNER_TEST_VARIABLE"), IsOkAndHolds("v"));
  // The connection is the child's own business, not that of its children.
  EXPECT_THAT(Ask(child, "env PRUNER_MESSAGE_SOCKET"), IsOkAndHolds("(none)"));
}

TEST(MessageChildTest, TheChildAloneIsInItsProcessGroup) {
  MessageChild child = StartChild();
  EXPECT_EQ(getpgid(child.pid()), child.pid());
  EXPECT_NE(getpgid(0), child.pid());
}

TEST(MessageChildTest, KillingReachesGrandchildren) {
  MessageChild child = StartChild();
  const auto grandchild = Ask(child, "fork");
  ASSERT_THAT(grandchild, IsOk());
  EXPECT_FALSE(kill(std::stoi(*grandchild), 0));
  child.Kill();
  EXPECT_TRUE(DiesSoon(*grandchild));
}

TEST(MessageChildTest, TheDestructorKills) {
  int pid = 0;
  {
    MessageChild child = StartChild();
    pid = child.pid();
    EXPECT_THAT(Ask(child, "hang", kShort), IsTimeout());
  }
  EXPECT_NE(kill(pid, 0), 0) << "it is not even a zombie";
}

// As a program may that has loaded us as a plugin.
TEST(MessageChildTest, WorksInAProgramThatIgnoresTheEndsOfChildren) {
  signal(SIGCHLD, SIG_IGN);
  MessageChild exits = StartChild();
  EXPECT_THAT(Ask(exits, "echo one"), IsOkAndHolds("one"));
  EXPECT_THAT(Ask(exits, "exit 3"), IsEnd("ended, how is not known"));
  MessageChild hangs = StartChild();
  EXPECT_THAT(Ask(hangs, "hang", kShort), IsTimeout());
  hangs.Kill();
  EXPECT_TRUE(DiesSoon(absl::StrCat(hangs.pid())));
  signal(SIGCHLD, SIG_DFL);
}

TEST(MessageChildTest, AChildCanBeReplaced) {
  MessageChild child = StartChild();
  const int first = child.pid();
  child = StartChild();
  EXPECT_NE(child.pid(), first);
  EXPECT_NE(kill(first, 0), 0);
  EXPECT_THAT(Ask(child, "echo new"), IsOkAndHolds("new"));
}

// The child starts a hanging child of its own. Killed, it cannot clean up, and
// its child is in another process group.
TEST(MessageChildTest, DiesWithItsParent) {
  MessageChild parent = StartChild();
  const auto orphan = Ask(parent, "start");
  ASSERT_THAT(orphan, IsOk());
  EXPECT_EQ(kill(std::stoi(*orphan), 0), 0);
  parent.Kill();
  EXPECT_TRUE(DiesSoon(*orphan));
}

TEST(MessageChildTest, LeavesNoFilesOpen) {
  const auto open_files = [] { return ListDirectory("/proc/self/fd")->size(); };
  const size_t before = open_files();
  for (int i = 0; i < 3; ++i) {
    MessageChild child = StartChild();
    EXPECT_THAT(Ask(child, "files"),
                IsOkAndHolds("0 1 2 3 4"));  // 4 lists them
    EXPECT_FALSE(MessageChild::Start({"/no/such/program"}).ok());
  }
  EXPECT_EQ(open_files(), before);
}

TEST(MessageParentTest, SaysThatTheProgramIsNotForUseByHand) {
  EXPECT_THAT(
      MessageParent::FromEnvironment().status(),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("by hand")));
  const auto by_hand = RunCommand({kProgram});
  ASSERT_THAT(by_hand, IsOk());
  EXPECT_EQ(by_hand->exit_code, 2);
  EXPECT_THAT(by_hand->stderr_text, HasSubstr("by hand"));
  // 0 is /dev/null, 1 a pipe, 99 not open.
  for (const char* socket : {"0", "1", "99", "-1", "nonsense"}) {
    const auto pretended = RunCommand(
        {kProgram},
        {.process = {.environment = {{"PRUNER_MESSAGE_SOCKET", socket}}}});
    ASSERT_THAT(pretended, IsOk());
    EXPECT_EQ(pretended->exit_code, 2) << socket;
    EXPECT_THAT(pretended->stderr_text, HasSubstr("by hand")) << socket;
  }
}

}  // namespace
}  // namespace pruner
