#include "pruner/base/os/file_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/files.h"

namespace {
int g_flock_error = 0;  // what a file system without locks answers
// Called before each call of flock with its number, from 1.
std::function<void(int)> g_before_flock;
int g_flock_calls = 0;
}  // namespace

// In place of the C library's.
extern "C" int flock(int fd, int operation) noexcept {
  if (g_before_flock) g_before_flock(++g_flock_calls);
  if (g_flock_error == 0)
    return static_cast<int>(syscall(SYS_flock, fd, operation));
  errno = g_flock_error;
  return -1;
}

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FileLockTest : public ::testing::Test {
 protected:
  void TearDown() override {
    g_flock_error = 0;
    g_before_flock = nullptr;
    g_flock_calls = 0;
  }

  // A child that has taken the lock and sleeps.
  pid_t StartHolder() {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto lock = FileLock::Take(path_, "the folder");
      const char taken = lock.ok() ? 1 : 0;
      if (write(ready[1], &taken, 1) != 1) _exit(1);
      for (;;) pause();
    }
    char taken = 0;
    EXPECT_EQ(read(ready[0], &taken, 1), 1);
    EXPECT_EQ(taken, 1);
    close(ready[0]);
    close(ready[1]);
    return child;
  }

  static void KillAndWait(pid_t child) {
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
  }

  static auto IsInUseBy(pid_t pid) {
    return StatusIs(absl::StatusCode::kFailedPrecondition,
                    absl::StrCat("the folder is in use by process ", pid,
                                 " on ", HostName()));
  }

  // Without WriteFileAtomically, which would make another file of it.
  void WriteInto(const std::string& text) {
    const FileDescriptor file(open(path_.c_str(), O_WRONLY | O_TRUNC));
    ASSERT_THAT(WriteAll(file.get(), text, path_), IsOk());
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("lock");
};

TEST_F(FileLockTest, TheSecondIsToldWhoTheFirstIs) {
  std::optional<FileLock> first = FileLock::Take(path_, "the folder").value();
  EXPECT_THAT(FileLock::Take(path_, "the folder").status(),
              IsInUseBy(getpid()));
  // The refusal changed nothing.
  EXPECT_THAT(FileLock::Take(path_, "the folder").status(),
              IsInUseBy(getpid()));
  EXPECT_THAT(ReadFile(path_),
              IsOkAndHolds(absl::StrCat(getpid(), " ", HostName(), "\n")));
  first.reset();
  EXPECT_THAT(ReadFile(path_), IsOkAndHolds(""));
  EXPECT_THAT(FileLock::Take(path_, "the folder"), IsOk());
}

TEST_F(FileLockTest, MovesWithItsOwner) {
  std::optional<FileLock> first = FileLock::Take(path_, "the folder").value();
  FileLock second = *std::move(first);
  first.reset();
  EXPECT_THAT(FileLock::Take(path_, "x").status(), Not(IsOk()));
  second = FileLock::Take(directory_.File("other"), "x").value();
  EXPECT_THAT(FileLock::Take(path_, "x"), IsOk());
}

TEST_F(FileLockTest, AKilledOwnerIsNoObstacle) {
  const pid_t child = StartHolder();
  EXPECT_THAT(FileLock::Take(path_, "the folder").status(), IsInUseBy(child));
  KillAndWait(child);
  EXPECT_THAT(ReadFile(path_), IsOkAndHolds(HasSubstr(absl::StrCat(child))));
  const auto lock = FileLock::Take(path_, "the folder");
  ASSERT_THAT(lock, IsOk());
  EXPECT_THAT(FileLock::Take(path_, "the folder").status(),
              IsInUseBy(getpid()));
}

TEST_F(FileLockTest, WaitsForTheOwnerToWriteItsName) {
  const pid_t child = StartHolder();
  KillAndWait(child);
  const std::string stale = absl::StrCat(child, " ", HostName(), "\n");
  for (const std::string& text : {stale, std::string()}) {
    const auto lock = FileLock::Take(path_, "the folder");
    WriteInto(text);
    g_flock_calls = 0;
    g_before_flock = [&](int call) {
      if (call == 3) WriteInto(absl::StrCat(getpid(), " ", HostName(), "\n"));
    };
    EXPECT_THAT(FileLock::Take(path_, "the folder").status(),
                IsInUseBy(getpid()));
    g_before_flock = nullptr;
  }
}

TEST_F(FileLockTest, AFileThatIsReplacedMeanwhileIsNotTheLock) {
  g_before_flock = [&](int call) {
    if (call > 2) return;
    ASSERT_THAT(WriteFileAtomically(path_, "another file"), IsOk());
  };
  const auto lock = FileLock::Take(path_, "the folder");
  ASSERT_THAT(lock, IsOk());
  EXPECT_THAT(lock->CheckInPlace(), IsOk());
  EXPECT_EQ(g_flock_calls, 3);
  EXPECT_THAT(FileLock::Take(path_, "the folder").status(),
              IsInUseBy(getpid()));
}

TEST_F(FileLockTest, TheNameOfAnotherMachinesOwnerIsTakenAsItIs) {
  const auto lock = FileLock::Take(path_, "x");
  WriteInto("999999999 far.example.org\n and what a longer name left");
  EXPECT_THAT(FileLock::Take(path_, "x").status().message(),
              "x is in use by process 999999999 on far.example.org");
}

TEST_F(FileLockTest, TextThatIsNoOwnersIsNotRepeated) {
  const auto lock = FileLock::Take(path_, "x");
  for (const char* text :
       {"", "12", "12 host", "12 \n", "-1 host\n", "0 host\n", "x host\n",
        "12 \x1b[2J\n", "12 two words\n", "\n12 host\n"}) {
    WriteInto(text);
    EXPECT_THAT(FileLock::Take(path_, "x").status().message(),
                "x is in use by another process")
        << text;
  }
}

TEST_F(FileLockTest, RefusesWhatIsNoRegularFile) {
  ASSERT_THAT(WriteFileAtomically(directory_.File("thesis"), "text"), IsOk());
  ASSERT_EQ(symlink("thesis", path_.c_str()), 0);
  EXPECT_THAT(FileLock::Take(path_, "x").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(path_), HasSubstr("symbolic link"))));
  EXPECT_THAT(ReadFile(directory_.File("thesis")), IsOkAndHolds("text"));
  ASSERT_EQ(unlink(path_.c_str()), 0);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(FileLock::Take(path_, "x").status().message(),
              HasSubstr("not a regular file"));
  EXPECT_THAT(FileLock::Take(directory_.path(), "x").status().message(),
              HasSubstr("Is a directory"));
  EXPECT_THAT(FileLock::Take(directory_.File("none/lock"), "x").status(),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(FileLockTest, SaysThatTheFileSystemHasNoLocks) {
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP}) {
    g_flock_error = error;
    EXPECT_THAT(FileLock::Take(path_, "x").status(),
                StatusIs(absl::StatusCode::kUnimplemented,
                         AllOf(HasSubstr(path_), HasSubstr("no file locks ("),
                               HasSubstr(strerror(error)),
                               HasSubstr("another file system"))));
  }
  g_flock_error = EIO;
  EXPECT_THAT(FileLock::Take(path_, "x").status().message(),
              AllOf(HasSubstr(path_), HasSubstr("Input/output error")));
  g_flock_error = 0;
  EXPECT_THAT(FileLock::Take(path_, "x"), IsOk());
}

TEST_F(FileLockTest, NoticesThatTheFileIsGone) {
  ASSERT_THAT(MakeDirectories(directory_.File("a")), IsOk());
  const FileLock lock =
      FileLock::Take(directory_.File("a/lock"), "the folder").value();
  EXPECT_THAT(lock.CheckInPlace(), IsOk());
  const auto is_gone = StatusIs(absl::StatusCode::kAborted,
                                HasSubstr(directory_.File("a/lock")));
  ASSERT_THAT(RenameFile(directory_.File("a"), directory_.File("b")), IsOk());
  EXPECT_THAT(lock.CheckInPlace(), is_gone);
  ASSERT_THAT(MakeDirectories(directory_.File("a")), IsOk());
  EXPECT_THAT(lock.CheckInPlace(), is_gone);
  const auto other = FileLock::Take(directory_.File("a/lock"), "the folder");
  EXPECT_THAT(other, IsOk());
  EXPECT_THAT(lock.CheckInPlace(), is_gone);
}

TEST_F(FileLockTest, ProgramsThatWeStartDoNotHoldIt) {
  std::optional<FileLock> lock = FileLock::Take(path_, "x").value();
  int started[2];  // its writing end closes when the program runs
  ASSERT_EQ(pipe2(started, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sleep", "sleep", "1000", nullptr);
    _exit(1);
  }
  close(started[1]);
  char none;
  ASSERT_EQ(read(started[0], &none, 1), 0);
  close(started[0]);
  lock.reset();
  EXPECT_THAT(FileLock::Take(path_, "x"), IsOk());
  KillAndWait(child);
}

// While one child holds the lock, no other does, though they end by SIGKILL
// while they hold it.
TEST_F(FileLockTest, OneAtATime) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int taken = 0; taken < 50;) {
        const auto lock = FileLock::Take(path_, "x");
        if (absl::IsFailedPrecondition(lock.status())) continue;
        if (!lock.ok()) _exit(2);
        const std::string inside = directory_.File("inside");
        if (open(inside.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600) < 0)
          _exit(3);
        unlink(inside.c_str());
        ++taken;
      }
      const auto lock = FileLock::Take(path_, "x");
      raise(SIGKILL);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "exit code " << WEXITSTATUS(status);
  }
}

}  // namespace
}  // namespace pruner
