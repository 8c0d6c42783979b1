#include "pruner/base/os/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FilesTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) { return directory_.File(name); }

  const TempDirectory directory_ = TempDirectory::Create().value();
};

// The error is told by its code, and its text names the path and the reason.
auto IsError(absl::StatusCode code, const std::string& path,
             const std::string& reason) {
  return StatusIs(code, AllOf(HasSubstr(path), HasSubstr(reason)));
}

TEST_F(FilesTest, ReadsWhatWasWritten) {
  std::string all_bytes(300000, '\0');
  for (size_t i = 0; i < all_bytes.size(); ++i) {
    all_bytes[i] = static_cast<char>(i * 7 / 3);
  }
  for (const std::string& contents :
       {std::string(), std::string("x"), all_bytes}) {
    ASSERT_THAT(WriteFileAtomically(Path("f"), contents), IsOk());
    EXPECT_THAT(ReadFile(Path("f")), IsOkAndHolds(contents));
  }
  EXPECT_THAT(ListDirectory(directory_.path()), IsOkAndHolds(ElementsAre("f")));
}

TEST_F(FilesTest, ReadsFilesThatDoNotTellTheirSize) {
  EXPECT_THAT(ReadFile("/proc/self/status"), IsOkAndHolds(HasSubstr("Pid:")));
}

TEST_F(FilesTest, ErrorsOfReading) {
  EXPECT_THAT(ReadFile(Path("none")),
              IsError(absl::StatusCode::kNotFound, Path("none"),
                      "No such file or directory"));
  EXPECT_THAT(ReadFile(directory_.path()).status().message(),
              AllOf(HasSubstr(directory_.path()), HasSubstr("Is a directory")));
}

TEST_F(FilesTest, ReadsNoMoreThanAsked) {
  ASSERT_THAT(WriteFileAtomically(Path("f"), "12345"), IsOk());
  EXPECT_THAT(ReadFile(Path("f"), 5), IsOkAndHolds("12345"));
  EXPECT_THAT(ReadFile(Path("f"), 4), IsError(absl::StatusCode::kOutOfRange,
                                              Path("f"), "more than 4 bytes"));
  EXPECT_THAT(ReadFile("/proc/self/status", 4),
              IsError(absl::StatusCode::kOutOfRange, "/proc/self/status",
                      "more than 4 bytes"));
}

TEST_F(FilesTest, ReadsNoPipesAndNoDevices) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(Path("fifo")),
              IsError(absl::StatusCode::kInvalidArgument, Path("fifo"),
                      "is a pipe, not a file"));
  ASSERT_EQ(symlink("/dev/zero", Path("zero").c_str()), 0);
  EXPECT_THAT(ReadFile(Path("zero")),
              IsError(absl::StatusCode::kInvalidArgument, Path("zero"),
                      "is a device, not a file"));
}

TEST_F(FilesTest, ErrorsOfWritingLeaveNothingBehind) {
  EXPECT_THAT(WriteFileAtomically(Path("none/f"), "x"),
              IsError(absl::StatusCode::kNotFound, Path("none/f"),
                      "No such file or directory"));
  ASSERT_THAT(MakeDirectories(Path("d/e")), IsOk());
  EXPECT_FALSE(WriteFileAtomically(Path("d"), "x").ok());
  EXPECT_THAT(ListDirectory(directory_.path()), IsOkAndHolds(ElementsAre("d")));
  EXPECT_THAT(WriteFileAtomically("/dev/full/f", "x").message(),
              HasSubstr("Not a directory"));
}

TEST_F(FilesTest, FilesGetTheUsualMode) {
  const mode_t mask = umask(027);
  ASSERT_THAT(WriteFileAtomically(Path("f"), "x"), IsOk());
  umask(mask);
  struct stat about;
  ASSERT_EQ(stat(Path("f").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640);
}

TEST_F(FilesTest, WritingThroughASymbolicLinkKeepsIt) {
  ASSERT_THAT(WriteFileAtomically(Path("f"), "old"), IsOk());
  ASSERT_EQ(symlink("f", Path("link").c_str()), 0);
  ASSERT_THAT(WriteFileAtomically(Path("link"), "new"), IsOk());
  EXPECT_THAT(ReadFile(Path("f")), IsOkAndHolds("new"));
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
}

TEST_F(FilesTest, ReadersNeverSeeAMixture) {
  const std::string a(100000, 'a'), b(100000, 'b');
  ASSERT_THAT(WriteFileAtomically(Path("f"), a), IsOk());
  const auto write = [&](const std::string& contents) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_THAT(WriteFileAtomically(Path("f"), contents), IsOk());
    }
  };
  std::thread first(write, a), second(write, b);
  for (int i = 0; i < 200; ++i) {
    const auto contents = ReadFile(Path("f"));
    ASSERT_THAT(contents, IsOk());
    ASSERT_TRUE(*contents == a || *contents == b);
  }
  first.join();
  second.join();
}

TEST_F(FilesTest, MakesDirectories) {
  EXPECT_THAT(MakeDirectories(Path("a/b/c")), IsOk());
  EXPECT_THAT(MakeDirectories(Path("a/b/c")), IsOk());
  EXPECT_TRUE(FileExists(Path("a/b/c")));
  ASSERT_THAT(WriteFileAtomically(Path("f"), ""), IsOk());
  EXPECT_THAT(MakeDirectories(Path("f")).message(),
              AllOf(HasSubstr(Path("f")), HasSubstr("Not a directory")));
  EXPECT_THAT(MakeDirectories(Path("f/g")).message(),
              AllOf(HasSubstr(Path("f/g")), HasSubstr("Not a directory")));
}

TEST_F(FilesTest, ListsAndRemoves) {
  for (const char* name : {"c", "a", "b"}) {
    ASSERT_THAT(WriteFileAtomically(Path(name), ""), IsOk());
  }
  EXPECT_THAT(RemoveFile(Path("b")), IsOk());
  EXPECT_FALSE(FileExists(Path("b")));
  EXPECT_THAT(ListDirectory(directory_.path()),
              IsOkAndHolds(ElementsAre("a", "c")));
  EXPECT_THAT(RemoveFile(Path("b")),
              IsError(absl::StatusCode::kNotFound, Path("b"),
                      "No such file or directory"));
  EXPECT_THAT(ListDirectory(Path("b")),
              IsError(absl::StatusCode::kNotFound, Path("b"),
                      "No such file or directory"));
}

TEST_F(FilesTest, TellsFreeDiskSpace) {
  EXPECT_THAT(FreeDiskBytes(directory_.path()), IsOkAndHolds(Gt(0)));
  EXPECT_THAT(FreeDiskBytes(Path("none")),
              IsError(absl::StatusCode::kNotFound, Path("none"),
                      "No such file or directory"));
}

TEST_F(FilesTest, ChecksWhetherADirectoryIsWritable) {
  EXPECT_THAT(CheckWritableDirectory(directory_.path()), IsOk());
  EXPECT_TRUE(IsWritableDirectory(directory_.path()));
  EXPECT_THAT(ListDirectory(directory_.path()), IsOkAndHolds(ElementsAre()));
  ASSERT_THAT(WriteFileAtomically(Path("f"), ""), IsOk());
  EXPECT_THAT(CheckWritableDirectory(Path("f")).message(),
              AllOf(HasSubstr(Path("f")), HasSubstr("Not a directory")));
  EXPECT_THAT(CheckWritableDirectory(Path("none")).message(),
              HasSubstr("No such file or directory"));
  // Not even root makes files here.
  EXPECT_FALSE(IsWritableDirectory("/proc/self"));
}

TEST_F(FilesTest, DirectoryOfAPath) {
  EXPECT_EQ(DirectoryOf("a/b"), "a");
  EXPECT_EQ(DirectoryOf("/a"), "/");
  EXPECT_EQ(DirectoryOf("b"), ".");
}

TEST(TempDirectoryTest, IsDeletedWithItsContents) {
  std::string path;
  {
    auto made = TempDirectory::Create();
    ASSERT_THAT(made, IsOk());
    const TempDirectory directory = *std::move(made);
    path = directory.path();
    EXPECT_THAT(path, StartsWith(GetEnv("TEST_TMPDIR").value_or("?")));
    ASSERT_THAT(MakeDirectories(directory.File("a/b")), IsOk());
    ASSERT_THAT(WriteFileAtomically(directory.File("a/f"), "x"), IsOk());
  }
  EXPECT_FALSE(FileExists(path));
}

}  // namespace
}  // namespace pruner
