#include "pruner/base/os/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

// Of a process whose stdout is `fd`; its status is what the process says on
// stderr as it ends.
[[noreturn]] void WriteTo(int fd, absl::string_view text) {
  signal(SIGPIPE, SIG_IGN);
  if (dup2(fd, STDOUT_FILENO) != STDOUT_FILENO) exit(1);
  std::cout << "before ";
  std::cerr << WriteToStdout(text).ToString();
  exit(0);
}

TEST(TerminalDeathTest, WritesAfterWhatWasWrittenBefore) {
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string path = folder->File("out");
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EXIT(WriteTo(file, "after"), ::testing::ExitedWithCode(0), "^OK$");
  close(file);
  EXPECT_EQ(ReadFile(path).value_or(""), "before after");
}

TEST(TerminalDeathTest, SaysWhyItCannotWrite) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_EXIT(WriteTo(full, "x"), ::testing::ExitedWithCode(0),
              "^RESOURCE_EXHAUSTED: cannot write to the standard output: No "
              "space left on device");
  close(full);
}

TEST(TerminalDeathTest, TellsThatNobodyReads) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  EXPECT_EXIT(WriteTo(ends[1], "x"), ::testing::ExitedWithCode(0),
              "^CANCELLED: nobody reads the standard output any more");
  close(ends[1]);
}

}  // namespace
}  // namespace pruner
