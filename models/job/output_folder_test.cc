#include "models/job/output_folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace fs = std::filesystem;

// What a run of today's claims.
const std::vector<std::string>& Names() {
  static const auto& names = *new std::vector<std::string>{
      "summary.json", "resnet50.tuned", "schedules/resnet50/"};
  return names;
}

class OutputFolderTest : public ::testing::Test {
 protected:
  OutputFolder Open() {
    auto folder = OutputFolder::Open(path_);
    EXPECT_THAT(folder, IsOk());
    return *std::move(folder);
  }

  // A run that claims the names above and writes these.
  void Run(const std::vector<std::string>& names) {
    OutputFolder folder = Open();
    ASSERT_THAT(folder.Claim(Names()), IsOk());
    for (const std::string& name : names) {
      ASSERT_THAT(folder.Write(name, "tune's"), IsOk());
    }
  }

  std::string Path(const std::string& name) {
    return absl::StrCat(path_, "/", name);
  }

  // As the user would.
  void Put(const std::string& name, const std::string& text) {
    ASSERT_THAT(MakeDirectories(DirectoryOf(Path(name))), IsOk());
    ASSERT_THAT(WriteFileAtomically(Path(name), text), IsOk());
  }

  void PutRecordLog() {
    ASSERT_THAT(MakeDirectories(path_), IsOk());
    ASSERT_THAT(RecordFileWriter::Open(Path("records.log")).status(), IsOk());
  }

  // All files and links in the folder but the tuner's own, with their texts.
  std::vector<std::string> Contents() {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      const std::string name = entry.path().lexically_relative(path_).string();
      if (absl::StartsWith(name, ".pruner") || entry.is_directory()) continue;
      all.push_back(absl::StrCat(
          name, ": ",
          entry.is_symlink() ? "link" : ReadFile(entry.path()).value()));
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  static auto IsForeign(const std::string& path) {
    return StatusIs(absl::StatusCode::kInvalidArgument,
                    absl::StrCat(path,
                                 " is not a file that tune wrote; move it away "
                                 "or choose another --output_dir"));
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("a/out");
};

TEST_F(OutputFolderTest, ARunReplacesWhatRunsWrote) {
  Run({"summary.json", "schedules/resnet50/x.h"});
  EXPECT_THAT(Contents(), ElementsAre("schedules/resnet50/x.h: tune's",
                                      "summary.json: tune's"));
  OutputFolder folder = Open();
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  EXPECT_THAT(folder.Write("summary.json", "new"), IsOk());
  EXPECT_THAT(folder.Write("summary.json", "newer"), IsOk());
  EXPECT_THAT(ReadFile(folder.File("summary.json")), IsOkAndHolds("newer"));
  EXPECT_EQ(folder.File("summary.json"), Path("summary.json"));
  EXPECT_EQ(folder.path(), path_);
}

TEST_F(OutputFolderTest, TheSecondIsToldWhoTheFirstIs) {
  std::optional<OutputFolder> first = Open();
  const auto is_in_use =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               absl::StrCat("--output_dir=", path_, " is in use by process ",
                            getpid(), " on ", HostName(),
                            "; wait until it ends, stop it, or choose another "
                            "--output_dir"));
  EXPECT_THAT(OutputFolder::Open(path_), is_in_use);
  OutputFolder moved = *std::move(first);
  first.reset();
  EXPECT_THAT(OutputFolder::Open(path_), is_in_use);
  moved = OutputFolder::Open(directory_.File("other")).value();
  EXPECT_THAT(OutputFolder::Open(path_), IsOk());
}

TEST_F(OutputFolderTest, FilesOfTheUserAreRefusedAtOnce) {
  for (const std::string name :
       {"summary.json", "resnet50.tuned", "schedules/resnet50/mine.h",
        "schedules/resnet50/more/mine.h"}) {
    Put(name, "mine");
    OutputFolder folder = Open();
    EXPECT_THAT(folder.Claim(Names()), IsForeign(Path(name)));
    EXPECT_THAT(Contents(), ElementsAre(absl::StrCat(name, ": mine")));
    EXPECT_THAT(folder.Write(name, "x"), Not(IsOk()));
    EXPECT_THAT(folder.Remove(name), IsForeign(Path(name)));
    EXPECT_THAT(Contents(), ElementsAre(absl::StrCat(name, ": mine")));
    fs::remove(Path(name));
  }
}

TEST_F(OutputFolderTest, OtherFilesOfTheUserAreLeftAlone) {
  Put("scratch/thesis.txt", "mine");
  Put("scratch/reference-0", "mine");
  Put("schedules/mine.h", "mine");
  Put("real/reference-0", "mine");
  fs::create_symlink("real", Path("link"));
  Put(".pruner/scratch-mine/notes", "mine");
  Put(".pruner/scratch-mine/reference-0", "a killed run's");
  fs::create_symlink("../real", Path(".pruner/scratch-link"));
  const std::vector<std::string> before = Contents();
  {
    OutputFolder folder = Open();
    ASSERT_THAT(folder.Claim(Names()), IsOk());
    ASSERT_THAT(folder.scratch(), IsOk());
    EXPECT_THAT(folder.RemoveBelow("schedules/"), IsOk());
  }
  EXPECT_EQ(Contents(), before);
  EXPECT_THAT(ListDirectory(Path(".pruner/scratch-mine")),
              IsOkAndHolds(ElementsAre("notes")));
  EXPECT_TRUE(fs::is_symlink(Path(".pruner/scratch-link")));
}

TEST_F(OutputFolderTest, WhatCannotBeWrittenIsRefusedAtOnce) {
  Put("real/x.h", "mine");
  const auto refused = [&](const std::string& at) {
    OutputFolder folder = Open();
    EXPECT_THAT(folder.Claim(Names()),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(StartsWith(Path(at)),
                               HasSubstr("choose another --output_dir"))));
    fs::remove_all(Path(at));
  };
  Put("schedules", "a file");
  refused("schedules");
  Put("schedules/resnet50", "a file");
  refused("schedules/resnet50");
  fs::create_directories(Path("summary.json"));
  refused("summary.json");
  fs::create_symlink("real/x.h", Path("summary.json"));
  refused("summary.json");
  fs::remove(Path("schedules"));
  fs::create_directory_symlink("real", Path("schedules"));
  refused("schedules");
  fs::create_directories(Path("schedules"));
  fs::create_directory_symlink("../real", Path("schedules/resnet50"));
  refused("schedules/resnet50");
  EXPECT_THAT(Contents(), ElementsAre("real/x.h: mine"));

  OutputFolder folder = Open();
  EXPECT_THAT(
      folder.Claim({"schedules/" + std::string(300, 'x') + ".h"}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 302")));
  EXPECT_THAT(folder.Claim({"../x"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(folder.Claim({".pruner/lock"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(OutputFolderTest, WritesOnlyWhatWasClaimed) {
  OutputFolder folder = Open();
  const auto is_unclaimed =
      StatusIs(absl::StatusCode::kInternal, HasSubstr("was not claimed"));
  EXPECT_THAT(folder.Write("summary.json", "x"), is_unclaimed);
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  EXPECT_THAT(folder.Write("summary.txt", "x"), is_unclaimed);
  EXPECT_THAT(folder.Write("schedules/x.h", "x"), is_unclaimed);
  EXPECT_THAT(folder.Write("schedules/resnet50/", "x"), is_unclaimed);
  EXPECT_THAT(folder.Write("schedules/resnet50/../x", "x"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  // What the user put there since stays.
  Put("summary.json", "mine");
  EXPECT_THAT(folder.Write("summary.json", "x"),
              IsForeign(Path("summary.json")));
  EXPECT_THAT(Contents(), ElementsAre("summary.json: mine"));
}

TEST_F(OutputFolderTest, AFolderOfAnEarlierVersionIsTakenOver) {
  PutRecordLog();
  Put("summary.json", "old");
  Put("schedules/x.h", "old");
  Put("schedules/resnet50/x.h", "old");
  {
    OutputFolder folder = Open();
    ASSERT_THAT(folder.Claim(Names()), IsOk());
    ASSERT_THAT(folder.Write("resnet50.tuned", "new"), IsOk());
    // Whose the others are nobody knows.
    ASSERT_THAT(folder.RemoveBelow("schedules/"), IsOk());
    EXPECT_THAT(folder.Remove("schedules/"), Not(IsOk()));
    EXPECT_THAT(Contents(), Contains("schedules/resnet50/x.h: old"));
  }
  // The next run, too, though there is a manifest now.
  OutputFolder folder = Open();
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  ASSERT_THAT(folder.Write("schedules/resnet50/x.h", "new"), IsOk());
  ASSERT_THAT(folder.Remove("summary.json"), IsOk());
  EXPECT_THAT(Contents(),
              ElementsAre(StartsWith("records.log"), "resnet50.tuned: new",
                          "schedules/resnet50/x.h: new", "schedules/x.h: old"));
}

TEST_F(OutputFolderTest, OnlySummaryAndSchedulesAreAnEarlierVersions) {
  PutRecordLog();
  Put("resnet50.tuned", "mine");
  EXPECT_THAT(Open().Claim(Names()), IsForeign(Path("resnet50.tuned")));
}

TEST_F(OutputFolderTest, WhatLooksLikeAnEarlierVersionsFolder) {
  Put("summary.json", "mine");
  Put("records.log", "the user's own records");
  EXPECT_THAT(Open().Claim(Names()), IsForeign(Path("summary.json")));
  fs::remove(Path("records.log"));
  PutRecordLog();
  fs::rename(Path("records.log"), directory_.File("log"));
  fs::create_symlink(directory_.File("log"), Path("records.log"));
  EXPECT_THAT(Open().Claim(Names()), IsForeign(Path("summary.json")));
}

// A run that was killed before it wrote anything has made the log and the
// manifest.
TEST_F(OutputFolderTest, TheLogOfThisVersionMakesNothingTunes) {
  Run({});
  PutRecordLog();
  Put("summary.json", "mine");
  EXPECT_THAT(Open().Claim(Names()), IsForeign(Path("summary.json")));
}

TEST_F(OutputFolderTest, ANameThatWasFreedIsNoLongerTunes) {
  Run({"summary.json"});
  fs::remove(Path("summary.json"));
  Run({});
  Put("summary.json", "mine");
  EXPECT_THAT(Open().Claim(Names()), IsForeign(Path("summary.json")));
}

TEST_F(OutputFolderTest, ADamagedManifestGivesNothingAway) {
  Put("mine", "mine");
  Put("../outside", "mine");
  Put(".pruner/files", "../outside\n\n/etc/passwd\n.pruner/lock\nmi");
  OutputFolder folder = Open();
  EXPECT_THAT(folder.Claim({"mine"}), IsForeign(Path("mine")));
  EXPECT_THAT(folder.Remove("../outside"), Not(IsOk()));
  EXPECT_TRUE(FileExists(directory_.File("a/outside")));
}

TEST_F(OutputFolderTest, RemovesWhatEarlierRunsWroteAndThisOneDidNot) {
  Run({"summary.json", "schedules/resnet50/x.h", "schedules/resnet50/y.h"});
  OutputFolder folder = Open();
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  ASSERT_THAT(folder.Write("schedules/resnet50/x.h", "new"), IsOk());
  Put("schedules/resnet50/mine.h", "mine");
  ASSERT_THAT(folder.RemoveBelow("schedules/resnet50/"), IsOk());
  EXPECT_THAT(Contents(), ElementsAre("schedules/resnet50/mine.h: mine",
                                      "schedules/resnet50/x.h: new",
                                      "summary.json: tune's"));
  EXPECT_THAT(folder.Remove("summary.json"), IsOk());
  EXPECT_THAT(folder.Remove("summary.json"), IsOk());
  EXPECT_FALSE(FileExists(Path("summary.json")));
}

// A run may be killed at any place: this one fails before the file gets its
// name.
TEST_F(OutputFolderTest, TheManifestKnowsAFileBeforeItIsThere) {
  OutputFolder folder = Open();
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  fs::create_directory(Path(".pruner/pending"));
  EXPECT_THAT(folder.Write("summary.json", "x"), Not(IsOk()));
  EXPECT_THAT(ReadFile(Path(".pruner/files")), IsOkAndHolds("summary.json\n"));
  EXPECT_FALSE(FileExists(Path("summary.json")));
}

TEST_F(OutputFolderTest, PutsTheLogAside) {
  OutputFolder folder = Open();
  EXPECT_THAT(folder.PutAside("records.log"), IsOkAndHolds(""));
  Put("records.log.1", "first");
  fs::create_symlink("none", Path("records.log.2"));
  Put("records.log", "third");
  EXPECT_THAT(folder.PutAside("records.log"), IsOkAndHolds("records.log.3"));
  EXPECT_THAT(Contents(),
              ElementsAre("records.log.1: first", "records.log.2: link",
                          "records.log.3: third"));
  fs::create_symlink("records.log.1", Path("records.log"));
  EXPECT_THAT(
      folder.PutAside("records.log"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("symbolic link")));
  fs::remove(Path("records.log"));
  fs::create_directory(Path("records.log"));
  EXPECT_THAT(folder.PutAside("records.log"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(OutputFolderTest, ScratchGoesWithTheRun) {
  std::string scratch;
  {
    OutputFolder folder = Open();
    scratch = folder.scratch().value();
    EXPECT_THAT(folder.scratch(), IsOkAndHolds(scratch));
    EXPECT_THAT(scratch, StartsWith(Path(".pruner/scratch-")));
    const OutputFolder moved = std::move(folder);
    ASSERT_THAT(WriteFileAtomically(scratch + "/reference-1", "x"), IsOk());
  }
  EXPECT_FALSE(FileExists(scratch));
}

// The child has the lock, a scratch folder and a half-written file.
TEST_F(OutputFolderTest, AKilledRunIsNoObstacle) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto folder = OutputFolder::Open(path_);
    if (!folder.ok() || !folder->Claim(Names()).ok() ||
        !folder->Write("summary.json", "tune's").ok() ||
        !WriteFileAtomically(*folder->scratch() + "/reference-1", "x").ok() ||
        !WriteFileAtomically(folder->File(".pruner/pending.tmp1-0"), "x")
             .ok() ||
        write(ready[1], "x", 1) != 1) {
      _exit(1);
    }
    for (;;) pause();
  }
  close(ready[1]);
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  EXPECT_THAT(OutputFolder::Open(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(absl::StrCat("process ", child, " on "))));
  EXPECT_THAT(ListDirectory(Path(".pruner")),
              IsOkAndHolds(Contains(StartsWith("scratch-"))));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);

  OutputFolder folder = Open();
  EXPECT_THAT(ListDirectory(Path(".pruner")),
              IsOkAndHolds(ElementsAre("files", "lock")));
  EXPECT_THAT(folder.Claim(Names()), IsOk());
}

TEST_F(OutputFolderTest, NoticesThatTheFolderIsGone) {
  OutputFolder folder = Open();
  ASSERT_THAT(folder.Claim(Names()), IsOk());
  EXPECT_THAT(folder.CheckStillThere(), IsOk());
  const auto is_gone =
      StatusIs(absl::StatusCode::kAborted,
               HasSubstr(absl::StrCat("--output_dir=", path_, " was deleted")));
  fs::rename(path_, directory_.File("elsewhere"));
  EXPECT_THAT(folder.CheckStillThere(), is_gone);
  EXPECT_THAT(folder.Write("summary.json", "x"), is_gone);
  EXPECT_FALSE(FileExists(path_));
  // Now it is another run's.
  Put("records.log", "another's");
  const OutputFolder other = Open();
  EXPECT_THAT(folder.CheckStillThere(), is_gone);
  EXPECT_THAT(folder.Write("summary.json", "x"), is_gone);
  EXPECT_THAT(folder.PutAside("records.log"), is_gone);
  EXPECT_THAT(folder.Claim(Names()), is_gone);
  EXPECT_THAT(folder.scratch(), is_gone);
  EXPECT_THAT(Contents(), ElementsAre("records.log: another's"));
}

TEST_F(OutputFolderTest, FoldersThatCannotBeUsed) {
  ASSERT_THAT(WriteFileAtomically(directory_.File("file"), "x"), IsOk());
  for (const std::string& path :
       {directory_.File("file"), directory_.File("file/out"),
        std::string("/proc/none/out"), std::string("/proc")}) {
    EXPECT_THAT(OutputFolder::Open(path).status().message(),
                StartsWith(absl::StrCat("--output_dir=", path, ": cannot ")));
  }
}

TEST_F(OutputFolderTest, TheTunersOwnFolderIsAFolder) {
  Put("real/lock", "mine");
  fs::create_directory_symlink("real", Path(".pruner"));
  const auto is_refused =
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(StartsWith(Path(".pruner")),
                     HasSubstr("choose another --output_dir")));
  EXPECT_THAT(OutputFolder::Open(path_), is_refused);
  fs::remove(Path(".pruner"));
  Put(".pruner", "a file");
  EXPECT_THAT(OutputFolder::Open(path_), is_refused);
  fs::remove(Path(".pruner"));
  fs::create_directory(Path(".pruner"));
  fs::create_symlink("../real/lock", Path(".pruner/lock"));
  EXPECT_THAT(
      OutputFolder::Open(path_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("symbolic link")));
  fs::remove(Path(".pruner/lock"));
  fs::create_symlink("../real/lock", Path(".pruner/files"));
  EXPECT_THAT(
      OutputFolder::Open(path_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("symbolic link")));
  EXPECT_THAT(Contents(), ElementsAre("real/lock: mine"));
}

}  // namespace
}  // namespace pruner
