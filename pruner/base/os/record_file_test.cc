#include "pruner/base/os/record_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr absl::string_view kMarker("\xf1PRN\xd2\xc5\x8e\n", 8);

class RecordFileTest : public ::testing::Test {
 protected:
  RecordFileWriter::Opened Open() {
    auto opened = RecordFileWriter::Open(path_);
    EXPECT_THAT(opened, IsOk());
    return *std::move(opened);
  }

  // The bytes of a file with these records.
  std::string FileOf(const std::vector<std::string>& records) {
    unlink(path_.c_str());
    {
      RecordFileWriter writer = Open().writer;
      for (const std::string& record : records) {
        EXPECT_THAT(writer.Append(record), IsOk());
      }
    }
    return Bytes();
  }

  std::string Bytes() { return ReadFile(path_).value(); }
  std::string DroppedFile() {
    return ReadFile(path_ + ".dropped").value_or("");
  }

  void SetBytes(absl::string_view bytes) {
    // Neither WriteFileAtomically nor truncating an old file: both wait for the
    // disk.
    unlink(path_.c_str());
    std::ofstream(path_, std::ios::binary) << bytes;
    unlink((path_ + ".dropped").c_str());
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("log");
};

int64_t TotalBytes(const std::vector<DroppedBytes>& dropped) {
  int64_t total = 0;
  for (const DroppedBytes& part : dropped) total += part.bytes;
  return total;
}

TEST_F(RecordFileTest, FormatNeverChanges) {
  EXPECT_EQ(
      FileOf({"abc", ""}),
      absl::StrCat("pruner-records 1\n", kMarker,
                   absl::string_view("\x03\0\0\0\xf8\x83\x14\x55"
                                     "abc",
                                     11),
                   kMarker, absl::string_view("\0\0\0\0\xc7\x4b\x67\x48", 8)));
}

TEST_F(RecordFileTest, RecordsComeBackInOrder) {
  std::string all_bytes;
  for (int i = 0; i < 70000; ++i)
    all_bytes.push_back(static_cast<char>(i * 31));
  const std::vector<std::string> records = {"first", "", all_bytes, "last"};
  const std::string bytes = FileOf(records);
  const auto read = ReadRecordFile(path_);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->records, records);
  EXPECT_THAT(read->dropped, IsEmpty());

  auto [writer, contents] = Open();
  EXPECT_EQ(contents.records, records);
  EXPECT_THAT(contents.dropped, IsEmpty());
  EXPECT_EQ(Bytes(), bytes);
  ASSERT_THAT(writer.Append("one more"), IsOk());
  EXPECT_EQ(ReadRecordFile(path_)->records.back(), "one more");
}

TEST_F(RecordFileTest, PayloadsMayContainMarkersAndWholeRecordFiles) {
  const std::string inner = FileOf({"inner", std::string(kMarker)});
  const absl::string_view start = kMarker.substr(0, 7);
  const std::vector<std::string> records = {
      inner, std::string(start),
      absl::StrCat(start, absl::string_view("\0", 1)),
      absl::StrCat(start, start, kMarker),
      absl::StrCat("x", kMarker.substr(0, 3))};
  const std::string bytes = FileOf(records);
  EXPECT_EQ(ReadRecordFile(path_)->records, records);

  // The damaged first record's payload gives no records of its own.
  std::string damaged = bytes;
  damaged[17 + 8] ^= 1;
  SetBytes(damaged);
  EXPECT_EQ(ReadRecordFile(path_)->records,
            std::vector<std::string>(records.begin() + 1, records.end()));
}

TEST_F(RecordFileTest, CutAnywhereItKeepsEveryWholeRecord) {
  const std::vector<std::string> records = {"one", "", "three is longer", "4"};
  const std::string bytes = FileOf(records);
  // ends[k] is where the first k records end.
  std::vector<size_t> ends = {17};
  for (const std::string& record : records) {
    ends.push_back(ends.back() + 16 + record.size());
  }
  ASSERT_EQ(ends.back(), bytes.size());

  for (size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string cut = bytes.substr(0, size);
    size_t whole = 0;
    while (whole < records.size() && ends[whole + 1] <= size) ++whole;
    const std::vector<std::string> expected(records.begin(),
                                            records.begin() + whole);
    const int64_t lost = size < 17 ? size : size - ends[whole];

    SetBytes(cut);
    const auto read = ReadRecordFile(path_);
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->records, expected);
    EXPECT_EQ(TotalBytes(read->dropped), lost);
    EXPECT_EQ(Bytes(), cut) << "reading must not change the file";

    {
      auto [writer, contents] = Open();
      EXPECT_EQ(contents.records, expected);
      EXPECT_EQ(TotalBytes(contents.dropped), lost);
      EXPECT_EQ(DroppedFile(), cut.substr(size - lost));
      ASSERT_THAT(writer.Append("after"), IsOk());
    }
    const RecordFileContents repaired = Open().contents;
    EXPECT_THAT(repaired.dropped, IsEmpty());
    EXPECT_THAT(repaired.records, SizeIs(whole + 1));
    EXPECT_EQ(repaired.records.back(), "after");
  }
}

TEST_F(RecordFileTest, AFlippedByteCostsItsOwnRecordOnly) {
  const std::vector<std::string> records = {"one", "", "three is longer", "4"};
  const std::string bytes = FileOf(records);
  size_t hit = 0, end = 17 + 16 + records[0].size();
  for (size_t at = 17; at < bytes.size(); ++at) {
    if (at == end) end += 16 + records[++hit].size();
    std::vector<std::string> expected = records;
    expected.erase(expected.begin() + hit);
    for (int flip = 1; flip < 256; ++flip) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      SCOPED_TRACE(absl::StrCat("byte ", at, " flipped by ", flip));
      SetBytes(damaged);
      const auto read = ReadRecordFile(path_);
      ASSERT_THAT(read, IsOk());
      ASSERT_EQ(read->records, expected);
      ASSERT_EQ(TotalBytes(read->dropped), 16 + records[hit].size());
      if (flip != 1) continue;  // opening for writing syncs, which takes time

      auto [writer, contents] = Open();
      ASSERT_EQ(contents.records, expected);
      ASSERT_THAT(writer.Append("after"), IsOk());
      expected.push_back("after");
      EXPECT_EQ(ReadRecordFile(path_)->records, expected);
      expected.pop_back();
      // Damage in the middle stays in the file, at the end it is moved away.
      const bool at_end = hit + 1 == records.size();
      EXPECT_EQ(DroppedFile(), at_end ? damaged.substr(end - 17) : "");
    }
  }
}

TEST_F(RecordFileTest, ReportsWhatWasDroppedAndWhere) {
  const std::string bytes = FileOf({"one", "two", "three"});
  std::string damaged = bytes.substr(0, bytes.size() - 1);
  damaged[17 + 16] ^= 1;
  damaged.insert(17 + 19 + 19, "garbage");
  SetBytes(damaged);
  const RecordFileContents contents = Open().contents;
  EXPECT_THAT(contents.records, ElementsAre("two"));
  std::vector<std::string> reports;
  reports.reserve(contents.dropped.size());
  for (const DroppedBytes& part : contents.dropped) {
    reports.push_back(absl::StrCat(part));
  }
  EXPECT_THAT(
      reports,
      ElementsAre(
          "19 bytes at offset 17 dropped: the record's checksum is wrong",
          "27 bytes at offset 55 dropped: no record starts here"));
}

TEST_F(RecordFileTest, BytesMissingInTheMiddleCostTheirRecordOnly) {
  const std::string bytes = FileOf({"one", "two", "three"});
  for (size_t at = 17 + 19; at < 17 + 38; ++at) {
    std::string damaged = bytes;
    damaged.erase(at, 1);
    SetBytes(damaged);
    EXPECT_THAT(ReadRecordFile(path_)->records, ElementsAre("one", "three"))
        << at;
  }
}

// Were each frame checked up to the length it claims, these would take days.
TEST_F(RecordFileTest, HostileLengthsCostNoTime) {
  constexpr size_t kBytes = size_t{16} << 20;
  const std::string claims_8_mb =
      absl::StrCat(kMarker, absl::string_view("\0\0\x80\0????", 8));
  const std::string claims_too_much =
      absl::StrCat(kMarker, absl::string_view("\xff\xff\xff\xff????", 8));
  const std::string valid = FileOf({"one"});
  for (const std::string& piece :
       {std::string(kMarker), claims_8_mb, claims_too_much, std::string("\xf1"),
        std::string(kMarker.substr(0, 7))}) {
    std::string bytes = valid;
    while (bytes.size() < kBytes) bytes += piece;
    bytes += valid.substr(17);
    SetBytes(bytes);
    const auto read = ReadRecordFile(path_);
    ASSERT_THAT(read, IsOk());
    EXPECT_THAT(read->records, ElementsAre("one", "one"));
    EXPECT_THAT(read->dropped, SizeIs(1));
  }
}

TEST_F(RecordFileTest, APayloadHoldsNoMarker) {
  // As a writer would frame it that does not escape what it is given.
  const std::string inner = absl::StrCat("a", kMarker, "b");
  const std::string bytes = FileOf({"one"});
  SetBytes(absl::StrCat(bytes, kMarker,
                        absl::string_view("\x0a\0\0\0\x2c\x81\xcf\x8f", 8),
                        inner));
  const RecordFileContents contents = *ReadRecordFile(path_);
  EXPECT_THAT(contents.records, ElementsAre("one"));
  ASSERT_THAT(contents.dropped, SizeIs(1));
  EXPECT_EQ(contents.dropped[0].reason, "the record's length is wrong");
}

TEST_F(RecordFileTest, SaysThatLineEndsWereConverted) {
  SetBytes("pruner-records 1\r\nabc");
  EXPECT_THAT(ReadRecordFile(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("line ends were converted")));
}

TEST_F(RecordFileTest, SurvivesATailOfZeros) {
  const std::string bytes = FileOf({"one"});
  SetBytes(bytes + std::string(5000, '\0'));
  EXPECT_THAT(Open().contents.records, ElementsAre("one"));
  EXPECT_EQ(Bytes(), bytes);
  EXPECT_EQ(DroppedFile(), std::string(5000, '\0'));
}

TEST_F(RecordFileTest, SavesWhatIsDroppedTimeAfterTime) {
  const std::string bytes = FileOf({"one"});
  for (const char* tail : {"first", "second"}) {
    ASSERT_THAT(WriteFileAtomically(path_, bytes + tail), IsOk());
    Open();
  }
  EXPECT_EQ(DroppedFile(), "firstsecond");
}

TEST_F(RecordFileTest, RefusesForeignFilesAndLeavesThemAlone) {
  for (const std::string foreign :
       {"x", "pruner-recorder", "some text\n", "pruner-records 2\nabc"}) {
    SetBytes(foreign);
    const auto refused =
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr(path_), HasSubstr("record file")));
    EXPECT_THAT(RecordFileWriter::Open(path_).status(), refused);
    EXPECT_THAT(ReadRecordFile(path_).status(), refused);
    EXPECT_EQ(Bytes(), foreign);
    EXPECT_THAT(ListDirectory(directory_.path()),
                IsOkAndHolds(ElementsAre("log")));
  }
}

TEST_F(RecordFileTest, ADamagedHeaderCostsNoRecord) {
  const std::string bytes = FileOf({"one"});
  for (size_t at = 0; at < 17; ++at) {
    if (bytes[at] == '1') continue;
    std::string damaged = bytes;
    damaged[at] ^= 1;
    SetBytes(damaged);
    auto [writer, contents] = Open();
    EXPECT_THAT(contents.records, ElementsAre("one"));
    ASSERT_THAT(contents.dropped, SizeIs(1));
    EXPECT_EQ(absl::StrCat(contents.dropped[0]),
              "17 bytes at offset 0 dropped: the file's header is damaged");
    ASSERT_THAT(writer.Append("two"), IsOk());
    EXPECT_THAT(ReadRecordFile(path_)->records, ElementsAre("one", "two"));
    EXPECT_THAT(Bytes(), StartsWith(damaged));
  }
}

// What is left of the header and the first record take as many bytes as a
// header.
TEST_F(RecordFileTest, AShorterHeaderCostsNoRecord) {
  const std::string bytes = FileOf({"", "two"});
  SetBytes(absl::StrCat("p", bytes.substr(17)));
  auto [writer, contents] = Open();
  EXPECT_THAT(contents.records, ElementsAre("", "two"));
  ASSERT_THAT(contents.dropped, SizeIs(1));
  EXPECT_EQ(absl::StrCat(contents.dropped[0]),
            "1 bytes at offset 0 dropped: the file's header is damaged");
}

// Nobody can tell it from one that a later version wrote.
TEST_F(RecordFileTest, RefusesAFlippedVersion) {
  std::string damaged = FileOf({"one"});
  damaged[15] ^= 1;
  SetBytes(damaged);
  EXPECT_FALSE(RecordFileWriter::Open(path_).ok());
  EXPECT_FALSE(ReadRecordFile(path_).ok());
  EXPECT_EQ(Bytes(), damaged);
}

TEST_F(RecordFileTest, SalvagesFramesOfWhateverFile) {
  const std::string bytes = FileOf({"one", "two", "three"});
  SetBytes(bytes);
  EXPECT_THAT(SalvageRecordFile(path_)->records,
              ElementsAre("one", "two", "three"));
  EXPECT_THAT(SalvageRecordFile(path_)->dropped, IsEmpty());
  SetBytes(bytes.substr(20));
  const auto salvaged = SalvageRecordFile(path_);
  ASSERT_THAT(salvaged, IsOk());
  EXPECT_THAT(salvaged->records, ElementsAre("two", "three"));
  EXPECT_EQ(TotalBytes(salvaged->dropped), 16);
  SetBytes("something else");
  EXPECT_THAT(SalvageRecordFile(path_)->records, IsEmpty());
}

TEST_F(RecordFileTest, ErrorsNameThePath) {
  const std::string none = directory_.File("none/log");
  EXPECT_THAT(RecordFileWriter::Open(none).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(none)));
  EXPECT_THAT(ReadRecordFile(path_).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
  EXPECT_THAT(RecordFileWriter::Open(directory_.path()).status().message(),
              HasSubstr("Is a directory"));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const absl::Status& status :
       {RecordFileWriter::Open(path_).status(), ReadRecordFile(path_).status()})
    EXPECT_THAT(status.message(), HasSubstr(path_ + " is a pipe"));
}

TEST_F(RecordFileTest, ADeletedFileIsNoticed) {
  RecordFileWriter writer = Open().writer;
  ASSERT_THAT(writer.Append("one"), IsOk());
  ASSERT_EQ(unlink(path_.c_str()), 0);
  EXPECT_THAT(writer.Append("two"),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr(path_), HasSubstr("was deleted"))));
}

TEST_F(RecordFileTest, HasOneWriterAtATime) {
  std::optional<RecordFileWriter> writer = Open().writer;
  ASSERT_THAT(writer->Append("one"), IsOk());
  EXPECT_THAT(RecordFileWriter::Open(path_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("another process"), HasSubstr(path_))));
  EXPECT_THAT(ReadRecordFile(path_)->records, ElementsAre("one"));
  writer.reset();
  EXPECT_THAT(Open().contents.records, ElementsAre("one"));
}

TEST_F(RecordFileTest, IsToldByItsFirstBytes) {
  EXPECT_FALSE(IsRecordFile(path_));
  Open();
  EXPECT_TRUE(IsRecordFile(path_));
  const std::string other = directory_.File("other");
  const std::pair<const char*, bool> cases[] = {
      {"pruner-records 1\n", true},
      {"pruner-records 77\nx", true},
      {"pruner-record", false},
      {"", false},
      {"Dear diary, my notes", false}};
  for (const auto& [contents, expected] : cases) {
    ASSERT_THAT(WriteFileAtomically(other, contents), IsOk());
    EXPECT_EQ(IsRecordFile(other), expected) << contents;
  }
  const std::string link = directory_.File("link");
  ASSERT_EQ(symlink(path_.c_str(), link.c_str()), 0);
  EXPECT_FALSE(IsRecordFile(link));
  EXPECT_FALSE(IsRecordFile(directory_.path()));
  ASSERT_EQ(mkfifo(directory_.File("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(IsRecordFile(directory_.File("fifo")));
}

TEST_F(RecordFileTest, RefusesHugeRecords) {
  RecordFileWriter writer = Open().writer;
  EXPECT_THAT(writer.Append(std::string(kMaxRecordBytes + 1, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("limit")));
  EXPECT_THAT(writer.Append("small"), IsOk());
  EXPECT_THAT(ReadRecordFile(path_)->records, ElementsAre("small"));
}

// The file may not grow beyond a limit, which stands for a full disk.
TEST_F(RecordFileTest, AWriteThatFailsLeavesNoTrace) {
  FileOf({"one"});
  const pid_t child = fork();
  if (child == 0) {
    auto opened = RecordFileWriter::Open(path_);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100, 100};
    if (!opened.ok() || setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    const absl::Status failed = opened->writer.Append(std::string(200, 'x'));
    if (failed.ok() || !absl::StrContains(failed.message(), path_)) _exit(2);
    if (!opened->writer.Append("two").ok()) _exit(3);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const auto read = ReadRecordFile(path_);
  EXPECT_THAT(read->records, ElementsAre("one", "two"));
  EXPECT_THAT(read->dropped, IsEmpty());
}

// A child appends numbered records and acknowledges each on a pipe until it is
// killed.
TEST_F(RecordFileTest, AKilledWriterLosesNothingItAcknowledged) {
  Rng rng(1);
  int written = 0;
  for (int round = 0; round < 20; ++round) {
    int pipe_fds[2];
    ASSERT_EQ(pipe(pipe_fds), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto opened = RecordFileWriter::Open(path_);
      if (!opened.ok()) _exit(1);
      for (int i = opened->contents.records.size();; ++i) {
        const std::string record =
            absl::StrCat(i, ":", std::string(i % 5000, 'x'));
        if (!opened->writer.Append(record).ok()) _exit(1);
        if (write(pipe_fds[1], &i, sizeof(i)) != sizeof(i)) _exit(1);
      }
    }
    close(pipe_fds[1]);
    int acknowledged = written - 1, last = 0;
    for (int64_t n = rng.Uniform(1, 40); n > 0; --n) {
      ASSERT_EQ(read(pipe_fds[0], &acknowledged, sizeof(acknowledged)),
                sizeof(acknowledged));
    }
    usleep(rng.Uniform(0, 2000));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    while (read(pipe_fds[0], &last, sizeof(last)) == sizeof(last))
      acknowledged = last;
    close(pipe_fds[0]);

    const auto contents = ReadRecordFile(path_);
    ASSERT_THAT(contents, IsOk());
    written = contents->records.size();
    ASSERT_GT(written, acknowledged);
    for (int i = 0; i < written; ++i) {
      ASSERT_EQ(contents->records[i],
                absl::StrCat(i, ":", std::string(i % 5000, 'x')));
    }
  }
}

}  // namespace
}  // namespace pruner
