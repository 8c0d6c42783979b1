#include "tools/common/tool_output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::testing::ExitedWithCode;
using ::testing::StrEq;

// All of it is of a process with another stdout.
void RedirectStdout(int fd) {
  signal(SIGPIPE, SIG_IGN);
  if (dup2(fd, STDOUT_FILENO) != STDOUT_FILENO) exit(1);
}

[[noreturn]] void PrintTo(int fd, absl::string_view text) {
  RedirectStdout(fd);
  const absl::Status status = Print(text);
  if (!status.ok()) PrintNote("tool", status.message());
  exit(0);
}

[[noreturn]] void SayTo(int fd) {
  RedirectStdout(fd);
  RunOutput output("tune");
  output.Show("\rprogress");
  output.Say("a\x1b[2Jb");
  output.Say("c");
  exit(0);
}

// What can be written to, but is read by nobody.
int PipeWithoutReader() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  close(ends[0]);
  return ends[1];
}

TEST(ToolOutputDeathTest, ControlCharactersAreShown) {
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string path = folder->File("out");
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  EXPECT_EXIT(PrintTo(file, "\x1b[2Ja\n"), ExitedWithCode(0), StrEq(""));
  EXPECT_EXIT(SayTo(file), ExitedWithCode(0), StrEq(""));
  close(file);
  EXPECT_EQ(ReadFile(path).value_or(""),
            "\\x1b[2Ja\n\rprogressa\\x1b[2Jb\nc\n");
}

TEST(ToolOutputDeathTest, NotesShowControlCharacters) {
  EXPECT_EXIT(
      {
        PrintNote("tool", "a\x1b[2Jb");
        exit(0);
      },
      ExitedWithCode(0), StrEq("tool: a\\x1b[2Jb\n"));
}

TEST(ToolOutputDeathTest, AFullDiskIsAnError) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_EXIT(PrintTo(full, "x"), ExitedWithCode(0),
              StrEq("tool: cannot write to the standard output: No space left "
                    "on device\n"));
  EXPECT_EXIT(SayTo(full), ExitedWithCode(0),
              StrEq("tune: cannot write to the standard output: No space left "
                    "on device; the run goes on\n"));
  close(full);
}

TEST(ToolOutputDeathTest, NobodyNeedsToRead) {
  const int out = PipeWithoutReader();
  EXPECT_EXIT(PrintTo(out, "x"), ExitedWithCode(0), StrEq(""));
  EXPECT_EXIT(SayTo(out), ExitedWithCode(0),
              StrEq("tune: nobody reads the standard output any more; the run "
                    "goes on\n"));
  close(out);
}

}  // namespace
}  // namespace pruner
