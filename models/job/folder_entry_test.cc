#include "models/job/folder_entry.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FolderEntryTest : public ::testing::Test {
 protected:
  FolderEntryTest() {
    EXPECT_THAT(MakeDirectories(directory_.File("d/e")), IsOk());
    for (const char* file : {"f", "d/g", "d/e/h"}) {
      EXPECT_THAT(WriteFileAtomically(directory_.File(file), "x"), IsOk());
    }
    EXPECT_EQ(symlink("f", directory_.File("to_file").c_str()), 0);
    EXPECT_EQ(symlink("d", directory_.File("to_folder").c_str()), 0);
    EXPECT_EQ(symlink("none", directory_.File("to_none").c_str()), 0);
    EXPECT_EQ(mkfifo(directory_.File("fifo").c_str(), 0600), 0);
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
};

TEST_F(FolderEntryTest, NamesOfFiles) {
  for (const char* name : {"a", "a.b", "a/b", "a/", "a/b/", "...", "a/.pruner",
                           ".prunerx", "ä b"}) {
    EXPECT_THAT(CheckName(name), IsOk()) << name;
  }
  for (const char* name :
       {"", "/", "/a", "a//b", "a//", ".", "..", "./a", "a/../b", "a/.",
        ".pruner", ".pruner/", ".pruner/lock", "a\nb"}) {
    EXPECT_THAT(CheckName(name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(absl::StrCat("'", name, "'"))));
  }
}

TEST_F(FolderEntryTest, CoversWhatIsInAFolder) {
  const FolderNames names = {"a/b/", "c"};
  for (const char* name : {"a/b/", "a/b/x", "a/b/x/y", "a/b/x/", "c"})
    EXPECT_TRUE(Covers(names, name)) << name;
  for (const char* name : {"a", "a/", "a/b", "a/bx", "a/c", "c/", "c/x", "cx"})
    EXPECT_FALSE(Covers(names, name)) << name;
}

TEST_F(FolderEntryTest, FindsFilesAndFolders) {
  for (const char* name : {"f", "d/", "d/g", "d/e/", "d/e/h"}) {
    EXPECT_THAT(EntryExists(directory_.path(), name), IsOkAndHolds(true));
  }
  for (const char* name : {"n", "n/", "n/a/b", "d/n", "d/n/"}) {
    EXPECT_THAT(EntryExists(directory_.path(), name), IsOkAndHolds(false));
  }
}

TEST_F(FolderEntryTest, SaysWhatIsInTheWay) {
  const struct {
    std::string name, at, why;
  } cases[] = {
      {"f/", "/f ", "is not a folder"},
      {"f/x", "/f ", "is not a folder"},
      {"d", "/d ", "is a folder"},
      {"d/e", "/d/e ", "is a folder"},
      {"fifo", "/fifo ", "is not a regular file"},
      {"fifo/", "/fifo ", "is not a folder"},
      {"to_file", "/to_file ", "is a symbolic link"},
      {"to_none", "/to_none ", "is a symbolic link"},
      {"to_folder/", "/to_folder ", "is a symbolic link"},
      {"to_folder/g", "/to_folder ", "is a symbolic link"},
      {"to_none/g", "/to_none ", "is a symbolic link"},
  };
  for (const auto& each : cases) {
    EXPECT_THAT(EntryExists(directory_.path(), each.name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(directory_.path() + each.at),
                               HasSubstr(each.why),
                               HasSubstr("move it away or choose another "
                                         "--output_dir"))))
        << each.name;
  }
  EXPECT_THAT(EntryExists("/", "proc/x").status().message(),
              HasSubstr("another file system"));
}

TEST_F(FolderEntryTest, NamesThatAreTooLong) {
  EXPECT_THAT(EntryExists(directory_.path(), std::string(255, 'x')),
              IsOkAndHolds(false));
  EXPECT_THAT(EntryExists(directory_.path(), std::string(256, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("names of 255 bytes"),
                             HasSubstr("has 256"), HasSubstr("shorten"))));
  // The system would not say so, because of the folder that is not there.
  EXPECT_THAT(EntryExists(directory_.path(), "n/" + std::string(256, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument));
  std::string deep;
  while (deep.size() < 4096) deep += "n/";
  EXPECT_THAT(EntryExists(directory_.path(), deep),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("shorter --output_dir")));
}

TEST_F(FolderEntryTest, ListsTheFilesOfANameDeeply) {
  const auto files = [&](const std::string& name) {
    return FilesOf(directory_.path(), name);
  };
  EXPECT_THAT(files("d/"), IsOkAndHolds(ElementsAre("d/e/h", "d/g")));
  EXPECT_THAT(files("f"), IsOkAndHolds(ElementsAre("f")));
  EXPECT_THAT(files("n"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(files("n/"), IsOkAndHolds(IsEmpty()));
  const std::string link = directory_.File("d/e/link");
  ASSERT_EQ(symlink("/tmp", link.c_str()), 0);
  EXPECT_THAT(files("d/"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(link)));
}

}  // namespace
}  // namespace pruner
