#include "pruner/base/os/subprocess.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

CommandResult Shell(const std::string& script,
                    const CommandOptions& options = {}) {
  const auto result = RunCommand({"sh", "-c", script}, options);
  EXPECT_THAT(result, IsOk());
  return result.value_or(CommandResult{.exit_code = -1});
}

// Not there any more, or a zombie that its new parent has not reaped yet.
bool IsDead(int pid) {
  const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
  return !stat.ok() || absl::StrContains(*stat, ") Z ");
}

bool DiesSoon(int pid) {
  for (int i = 0; i < 1000 && !IsDead(pid); ++i) {
    RealClock().SleepFor(absl::Milliseconds(10));
  }
  return IsDead(pid);
}

TEST(CpuTimeOfTest, CountsWhatIsComputedAndNotWhatIsSlept) {
  const absl::Duration before = CpuTimeOf(getpid());
  RealClock().SleepFor(absl::Milliseconds(300));
  const absl::Duration slept = CpuTimeOf(getpid());
  EXPECT_LT(slept - before, absl::Milliseconds(200));
  std::thread([&] {
    while (CpuTimeOf(getpid()) - slept < absl::Milliseconds(100)) {
    }
  }).join();
  EXPECT_GE(CpuTimeOf(getpid()) - slept, absl::Milliseconds(100));
  // Above what Linux gives.
  EXPECT_EQ(CpuTimeOf(1 << 22), absl::ZeroDuration());
}

TEST(RunCommandTest, ReturnsOutputAndExitCode) {
  const CommandResult result = Shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.stdout_text, "out\n");
  EXPECT_EQ(result.stderr_text, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_FALSE(result.ok());
  EXPECT_TRUE(Shell("true").ok());
}

TEST(RunCommandTest, PassesArgumentsAsTheyAre) {
  const auto result = RunCommand({"printf", "%s|", "a b", "", "$HOME", "\n"});
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->stdout_text, "a b||$HOME|\n|");
}

TEST(RunCommandTest, ReturnsTheSignal) {
  const CommandResult result = Shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(ExitStatus{.signal = SIGSEGV}.ToString(),
            "was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(ExitStatus{.exit_code = 3}.ToString(), "exited with code 3");
}

TEST(RunCommandTest, KillsAfterTheTimeout) {
  const absl::Duration start = RealClock().Elapsed();
  const CommandResult result =
      Shell("trap '' TERM; echo begun; sleep 1000 & wait",
            {.timeout = absl::Milliseconds(300)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.stdout_text, "begun\n");
  EXPECT_GE(RealClock().Elapsed() - start, absl::Milliseconds(300));
  EXPECT_LT(RealClock().Elapsed() - start, absl::Seconds(30));
}

TEST(RunCommandTest, KillsAStoppedCommand) {
  EXPECT_TRUE(
      Shell("kill -STOP $$", {.timeout = absl::Milliseconds(100)}).timed_out);
}

TEST(RunCommandTest, KillsWhatACommandLeavesBehind) {
  const absl::Duration start = RealClock().Elapsed();
  const CommandResult result = Shell("sleep 1000 & echo $!");
  EXPECT_TRUE(result.ok());
  EXPECT_LT(RealClock().Elapsed() - start, absl::Seconds(100));
  int pid = 0;
  ASSERT_TRUE(absl::SimpleAtoi(result.stdout_text, &pid));
  EXPECT_TRUE(DiesSoon(pid));
}

TEST(RunCommandTest, BoundsWhatItKeeps) {
  const CommandResult result = Shell(
      "yes | head -c 300000; yes no | head -c 300000 >&2; echo the end >&2",
      {.max_stdout_bytes = 1000});
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.stdout_text, AllOf(SizeIs(1000), StartsWith("y\n")));
  EXPECT_THAT(result.stderr_text,
              AllOf(SizeIs(64 << 10), EndsWith("\nthe end\n")));
}

TEST(RunCommandTest, ReturnsMegabytes) {
  EXPECT_THAT(Shell("yes | head -c 10000000").stdout_text, SizeIs(10000000));
}

TEST(RunCommandTest, ReadsNothingFromStdin) {
  const CommandResult result = Shell("cat");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.stdout_text, "");
}

TEST(RunCommandTest, ChangesDirectoryAndEnvironment) {
  SetEnv("PRUNER_TEST_OLD", "old");
  SetEnv("PRUNER_TEST_KEPT", "kept");
  const CommandResult result =
      Shell("pwd; echo $PRUNER_TEST_OLD $PRUNER_TEST_KEPT $PRUNER_TEST_NEW",
            {.process = {.working_directory = "/usr",
                         .environment = {{"PRUNER_TEST_OLD", "changed"},
                                         {"PRUNER_TEST_NEW", "a=b"}}}});
  EXPECT_EQ(result.stdout_text, "/usr\nchanged kept a=b\n");
}

TEST(RunCommandTest, LimitsMemory) {
  const std::string script = "dd if=/dev/zero of=/dev/null bs=500M count=1";
  EXPECT_TRUE(Shell(script).ok());
  const CommandResult limited =
      Shell(script, {.process = {.max_memory_bytes = 200 << 20}});
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_THAT(limited.stderr_text, HasSubstr("memory"));
}

// Far above what any program needs, instrumented ones too.
TEST(RunCommandTest, ALowerLimitOfTheParentHolds) {
  constexpr rlim_t kLimit = rlim_t{1} << 46;
  const auto child = [] {
    const rlimit limit = {.rlim_cur = kLimit, .rlim_max = kLimit};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    const CommandResult result = Shell(
        "ulimit -v", {.process = {.max_memory_bytes = int64_t{2} * kLimit}});
    _exit(result.stdout_text == absl::StrCat(kLimit / 1024, "\n") ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST(RunCommandTest, BindsToCpus) {
  const int last = AvailableCpus().back();
  const CommandResult result = Shell("grep Cpus_allowed_list /proc/self/status",
                                     {.process = {.cpus = {last}}});
  EXPECT_EQ(result.stdout_text,
            absl::StrCat("Cpus_allowed_list:\t", last, "\n"));
}

TEST(RunCommandTest, LeavesNoCoreDump) {
  EXPECT_EQ(Shell("ulimit -c").stdout_text, "0\n");
}

TEST(RunCommandTest, SaysWhyAProgramCannotRun) {
  EXPECT_THAT(
      RunCommand({"no-such-program"}).status(),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("no-such-program"), HasSubstr("$PATH"))));
  EXPECT_THAT(RunCommand({"/no/such/program"}).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("/no/such/program"),
                             HasSubstr("No such file or directory"))));
  EXPECT_THAT(
      RunCommand({"/etc/passwd"}).status(),
      StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("/etc/passwd")));
  EXPECT_THAT(
      RunCommand({"true"}, {.process = {.working_directory = "/no/where"}})
          .status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/where")));
  EXPECT_THAT(
      RunCommand({"true"}, {.process = {.cpus = {60000}}}).status().message(),
      HasSubstr("CPUs"));
}

TEST(RunCommandTest, InheritsNeitherFilesNorSignalSettings) {
  const int leak = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(leak, 3);
  signal(SIGINT, SIG_IGN);
  sigset_t mask, before;
  sigfillset(&mask);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  const CommandResult files = Shell("echo /proc/self/fd/*");
  const CommandResult signals =
      Shell("grep -E 'Sig(Blk|Ign)' /proc/self/status");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signal(SIGINT, SIG_DFL);
  close(leak);

  // 3 is the directory the shell is reading.
  EXPECT_EQ(
      files.stdout_text,
      "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n");
  // Not the whole mask of ignored signals: 32 and 33 are the C library's own.
  EXPECT_THAT(
      signals.stdout_text,
      AllOf(StartsWith("SigBlk:\t0000000000000000\n"), EndsWith("0000000\n")));
}

TEST(RunCommandTest, SaysThatNobodyKnowsHowACommandEnded) {
  signal(SIGCHLD, SIG_IGN);
  // Not so short that it may have ended before we look at it.
  const auto result = RunCommand({"sleep", "0.2"});
  signal(SIGCHLD, SIG_DFL);
  EXPECT_THAT(result.status(),
              StatusIs(absl::StatusCode::kUnknown,
                       AllOf(StartsWith("sleep ended"), HasSubstr("SIGCHLD"))));
}

TEST(RunCommandTest, LeavesNoFilesOpen) {
  const auto open_files = [] { return ListDirectory("/proc/self/fd")->size(); };
  const size_t before = open_files();
  for (int i = 0; i < 5; ++i) {
    Shell("true");
    EXPECT_FALSE(RunCommand({"/no/such/program"}).ok());
    Shell("sleep 100", {.timeout = absl::Milliseconds(1)});
  }
  EXPECT_EQ(open_files(), before);
}

TEST(RunCommandTest, RunsFromManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(Shell(absl::StrCat("echo ", t, "; exit ", i)).exit_code, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace pruner
