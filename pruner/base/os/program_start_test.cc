#include "pruner/base/os/program_start.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/subprocess.h"

namespace pruner {
namespace {

using ::testing::ExitedWithCode;

// What it changes is the process's, so each of these is the end of a process of
// its own: with 0 if all is as it should be.

[[noreturn]] void CloseStandardFiles() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(fd);
  PrepareProgram();
  const int next = open("/dev/null", O_RDONLY);
  char byte = 0;
  exit(next > STDERR_FILENO && read(STDIN_FILENO, &byte, 1) == 0 &&
               write(STDOUT_FILENO, &byte, 1) == 1 &&
               write(STDERR_FILENO, &byte, 1) == 1
           ? 0
           : 1);
}

[[noreturn]] void WriteToOpenStandardFile() {
  PrepareProgram();
  exit(write(STDERR_FILENO, "here", 4) == 4 ? 0 : 1);
}

[[noreturn]] void WriteToNobody() {
  PrepareProgram();
  int ends[2];
  if (pipe(ends) != 0) exit(1);
  close(ends[0]);
  exit(write(ends[1], "x", 1) < 0 && errno == EPIPE ? 0 : 2);
}

[[noreturn]] void WriteBeyondLimit(const std::string& path) {
  PrepareProgram();
  const rlimit limit = {.rlim_cur = 4, .rlim_max = 4};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) exit(1);
  const absl::Status status = WriteFileAtomically(path, "12345");
  exit(absl::StrContains(status.message(), "File too large") ? 0 : 2);
}

[[noreturn]] void RunChildWhileChildrenAreIgnored() {
  signal(SIGCHLD, SIG_IGN);
  PrepareProgram();
  const absl::StatusOr<CommandResult> result =
      RunCommand({"sh", "-c", "exit 3"});
  exit(result.ok() && result->exit_code == 3 ? 0 : 1);
}

TEST(ProgramStartDeathTest, NoFileTakesThePlaceOfAClosedStandardFile) {
  EXPECT_EXIT(CloseStandardFiles(), ExitedWithCode(0), "");
}

TEST(ProgramStartDeathTest, OpenStandardFilesStayWhatTheyAre) {
  EXPECT_EXIT(WriteToOpenStandardFile(), ExitedWithCode(0), "here");
}

TEST(ProgramStartDeathTest, WritingToNobodyIsAnError) {
  EXPECT_EXIT(WriteToNobody(), ExitedWithCode(0), "");
}

TEST(ProgramStartDeathTest, WritingBeyondALimitIsAnError) {
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EXIT(WriteBeyondLimit(folder->File("f")), ExitedWithCode(0), "");
}

TEST(ProgramStartDeathTest, EndsOfChildrenAreKnown) {
  EXPECT_EXIT(RunChildWhileChildrenAreIgnored(), ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pruner
