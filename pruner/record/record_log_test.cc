#include "pruner/record/record_log.h"

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

MeasureRecord Record(int64_t trial) {
  return {.workload_hash = 5,
          .workload_name = "matmul",
          .schedule = {.steps = {ComputeRootStep{.stage = 2}}},
          .result = {.seconds = {1.0 + static_cast<double>(trial)}},
          .trial = trial};
}

class RecordLogTest : public testing::Test {
 protected:
  RecordLogTest() : path_(directory_.File("log")) {}

  RecordLog::Opened Open() {
    auto opened = RecordLog::Open(path_, header_);
    EXPECT_THAT(opened, IsOk());
    return *std::move(opened);
  }

  // A log of `count` records, and its bytes.
  std::string Write(int count) {
    RecordLog log = Open().log;
    for (int i = 0; i < count; ++i) EXPECT_THAT(log.Append(Record(i)), IsOk());
    return Bytes();
  }

  std::string Bytes() { return ReadFile(path_).value(); }
  void SetBytes(absl::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  TempDirectory directory_ = TempDirectory::Create().value();
  std::string path_;
  LogHeader header_ = MakeLogHeader("resnet50", SampleCpuTarget(), 1);
};

TEST_F(RecordLogTest, RecordsComeBack) {
  {
    auto [log, contents] = Open();
    EXPECT_THAT(contents.records, IsEmpty());
    EXPECT_THAT(contents.notes, IsEmpty());
    EXPECT_EQ(contents.header, header_);
    ASSERT_THAT(log.Append(Record(0)), IsOk());
    // On disk at once, and readable while the log is open.
    EXPECT_THAT(ReadRecordLog(path_)->records, ElementsAre(Record(0)));
    ASSERT_THAT(log.Append(Record(1)), IsOk());
  }
  const std::string bytes = Bytes();
  {
    auto [log, contents] = Open();
    EXPECT_THAT(contents.records, ElementsAre(Record(0), Record(1)));
    EXPECT_THAT(contents.notes, IsEmpty());
    EXPECT_EQ(Bytes(), bytes);
    ASSERT_THAT(log.Append(Record(2)), IsOk());
  }
  const absl::StatusOr<LogContents> read = ReadRecordLog(path_);
  EXPECT_THAT(read->records, ElementsAre(Record(0), Record(1), Record(2)));
  EXPECT_EQ(read->header, header_);
}

TEST_F(RecordLogTest, ALogForSomethingElseIsLeftAlone) {
  const std::string bytes = Write(2) + "torn";
  SetBytes(bytes);
  TargetSpec more_cores = SampleCpuTarget();
  more_cores.units.cores = 64;
  const LogHeader others[] = {MakeLogHeader("bert", SampleCpuTarget(), 1),
                              MakeLogHeader("resnet50", SampleGpuTarget(), 1),
                              MakeLogHeader("resnet50", more_cores, 1),
                              MakeLogHeader("resnet50", SampleCpuTarget(), 8)};
  for (const LogHeader& other : others) {
    EXPECT_THAT(RecordLog::Open(path_, other),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  }
  EXPECT_THAT(
      RecordLog::Open(path_, others[0]).status().message(),
      AllOf(HasSubstr("holds records of model 'resnet50', target 'sample-2c'"),
            HasSubstr("this run is for model 'bert', target 'sample-2c'"),
            HasSubstr("and batch 1; choose another --output_dir, or --fresh")));
  EXPECT_THAT(RecordLog::Open(path_, others[1]).status().message(),
              HasSubstr("target 'a100'"));
  EXPECT_EQ(Bytes(), bytes);
  EXPECT_FALSE(FileExists(path_ + ".dropped"));
}

TEST(TargetFingerprintTest, MeasuringTheHostAgainDoesNotChangeIt) {
  TargetSpec again = SampleCpuTarget();
  again.peaks.fp32_gflops *= 1.01;
  again.l1.gb_per_s *= 0.99;
  again.llc.gb_per_s *= 0.99;
  EXPECT_EQ(TargetFingerprint(again), TargetFingerprint(SampleCpuTarget()));
  again.l2.size_bytes *= 2;
  EXPECT_NE(TargetFingerprint(again), TargetFingerprint(SampleCpuTarget()));
}

TEST_F(RecordLogTest, ATornTailIsCutOffAndTold) {
  const std::string one = Write(1);
  const std::string two = Write(1);  // appends
  for (const size_t size : {one.size() + 1, one.size() + 20, two.size() - 1}) {
    SetBytes(two.substr(0, size));
    {
      auto [log, contents] = Open();
      EXPECT_THAT(contents.records, ElementsAre(Record(0)));
      ASSERT_THAT(contents.notes, SizeIs(1));
      EXPECT_THAT(
          contents.notes[0],
          AllOf(HasSubstr(absl::StrCat(size - one.size(), " bytes at offset ",
                                       one.size(), " dropped")),
                HasSubstr("incomplete"), HasSubstr("log.dropped")));
      ASSERT_THAT(log.Append(Record(9)), IsOk());
    }
    EXPECT_THAT(Open().contents.records, ElementsAre(Record(0), Record(9)));
  }
}

TEST_F(RecordLogTest, DamageInTheMiddleCostsOneRecord) {
  const std::string one = Write(1);
  std::string bytes = Write(2);
  bytes[one.size() + 18] ^= 1;
  SetBytes(bytes);
  const LogContents contents = Open().contents;
  EXPECT_THAT(contents.records, ElementsAre(Record(0), Record(1)));
  ASSERT_THAT(contents.notes, SizeIs(1));
  EXPECT_THAT(contents.notes[0], HasSubstr("checksum"));
  EXPECT_EQ(Bytes(), bytes);
}

TEST_F(RecordLogTest, AFileThatEndsInItsHeaderIsStartedAgain) {
  const std::string bytes = Write(0);
  for (size_t size = 0; size < bytes.size(); ++size) {
    SetBytes(bytes.substr(0, size));
    EXPECT_THAT(ReadRecordLog(path_).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(Open().contents.records, IsEmpty());
    EXPECT_EQ(Bytes(), bytes);
  }
}

TEST_F(RecordLogTest, RecordsWithoutTheirHeaderAreRefusedAndKept) {
  std::string bytes = Write(2);
  bytes[17 + 18] ^= 1;
  SetBytes(bytes);
  EXPECT_THAT(RecordLog::Open(path_, header_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("does not begin with the header")));
  EXPECT_THAT(ReadRecordLog(path_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Bytes(), bytes);
}

TEST_F(RecordLogTest, WhatThisVersionCannotReadIsSkippedAndKept) {
  Write(1);
  proto::LogEntry newer_step;
  *newer_step.mutable_record() = ToProto(Record(1));
  newer_step.mutable_record()->mutable_schedule()->mutable_steps(0)->Clear();
  {
    RecordFileWriter writer = RecordFileWriter::Open(path_).value().writer;
    ASSERT_THAT(writer.Append(newer_step.SerializeAsString()), IsOk());
    ASSERT_THAT(writer.Append(""), IsOk());          // of no kind
    ASSERT_THAT(writer.Append("\xff\xff"), IsOk());  // no message
  }
  const std::string bytes = Bytes();
  {
    auto [log, contents] = Open();
    EXPECT_THAT(contents.records, ElementsAre(Record(0)));
    EXPECT_EQ(contents.unreadable, 3);
    ASSERT_THAT(contents.notes, SizeIs(1));
    EXPECT_THAT(contents.notes[0],
                AllOf(HasSubstr("3 of the 4 records in "),
                      HasSubstr("step 0 of the schedule is of no known kind")));
    EXPECT_EQ(Bytes(), bytes);
    ASSERT_THAT(log.Append(Record(2)), IsOk());
  }
  EXPECT_THAT(ReadRecordLog(path_)->records, ElementsAre(Record(0), Record(2)));
}

TEST_F(RecordLogTest, ANewerFormatIsRefused) {
  proto::LogEntry entry;
  entry.mutable_header()->set_format_version(2);
  ASSERT_THAT(
      RecordFileWriter::Open(path_)->writer.Append(entry.SerializeAsString()),
      IsOk());
  EXPECT_THAT(RecordLog::Open(path_, header_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("a record log of format 2, and this program "
                                 "reads 1; use the program that wrote it")));
}

TEST_F(RecordLogTest, OtherFilesAreLeftAlone) {
  SetBytes("my diary");
  EXPECT_THAT(RecordLog::Open(path_, header_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Bytes(), "my diary");
  EXPECT_THAT(ReadRecordLog(directory_.File("none")),
              StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace pruner
