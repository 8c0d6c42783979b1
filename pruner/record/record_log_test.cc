#include "pruner/record/record_log.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/version.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/run_info.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_proto.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

Workload Matmul() { return {"matmul", "\xff", MatmulReluDag(4, 8, 16), {"x"}}; }
Workload Pool() { return {"pool", "pipeline", MaxPoolDag(9, 8)}; }

MeasureRecord Record(int64_t trial, const Workload& workload = Matmul(),
                     const TargetSpec& target = SampleCpuTarget()) {
  return {.workload = workload.key,
          .target = TargetKeyOf(target),
          .run = 1,
          .schedule = {.steps = {ComputeRootStep{.stage = 2}}},
          .result = {.seconds = {1.0 + static_cast<double>(trial)}},
          .trial = trial};
}

class RecordLogTest : public testing::Test {
 protected:
  RecordLogTest() : path_(directory_.File("log")) {}

  RecordLog::Opened Open() {
    auto opened = RecordLog::Open(path_);
    EXPECT_THAT(opened, IsOk());
    return *std::move(opened);
  }

  // Appends a run of `count` records of one workload; returns the file's bytes.
  std::string Write(int count) {
    RecordLog log = Open().log;
    EXPECT_THAT(log.BeginRun({}, SampleCpuTarget()), IsOk());
    EXPECT_THAT(log.AddWorkload(Matmul()), IsOk());
    for (int i = 0; i < count; ++i) EXPECT_THAT(log.Append(Record(i)), IsOk());
    return Bytes();
  }

  void AppendEntry(const proto::LogEntry& entry) {
    RecordFileWriter writer = RecordFileWriter::Open(path_).value().writer;
    ASSERT_THAT(writer.Append(entry.SerializeAsString()), IsOk());
  }

  std::string Bytes() { return ReadFile(path_).value(); }
  void SetBytes(absl::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  // Opening fails so, and does nothing.
  void ExpectRefused(const testing::Matcher<std::string>& message) {
    const std::string bytes = Bytes();
    EXPECT_THAT(RecordLog::Open(path_),
                StatusIs(absl::StatusCode::kFailedPrecondition, message));
    EXPECT_EQ(Bytes(), bytes);
    EXPECT_FALSE(FileExists(path_ + ".dropped"));
  }

  TempDirectory directory_ = TempDirectory::Create().value();
  std::string path_;
};

TEST_F(RecordLogTest, RecordsComeBack) {
  {
    auto [log, contents] = Open();
    EXPECT_THAT(contents.records, IsEmpty());
    EXPECT_THAT(contents.notes, IsEmpty());
    ASSERT_THAT(log.BeginRun({}, SampleCpuTarget()), IsOkAndHolds(1));
    ASSERT_THAT(log.AddWorkload(Matmul()), IsOk());
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
  EXPECT_THAT(ReadRecordLog(path_)->records,
              ElementsAre(Record(0), Record(1), Record(2)));
}

TEST_F(RecordLogTest, HoldsAnyMix) {
  TargetSpec measured_again = SampleCpuTarget();
  measured_again.peaks.fp32_gflops = 123;
  const RunInfo info = {.seed = 7, .options = {{"model", "odd \xff"}}};
  const MeasureRecord cpu = Record(0),
                      gpu = Record(1, Pool(), SampleGpuTarget());
  MeasureRecord cold = Record(2, Pool());
  cold.measure_policy = "cold";
  {
    RecordLog log = Open().log;
    ASSERT_THAT(log.BeginRun(info, SampleCpuTarget()), IsOkAndHolds(1));
    for (const Workload& workload : {Matmul(), Pool(), Matmul()})
      ASSERT_THAT(log.AddWorkload(workload), IsOk());
    ASSERT_THAT(log.Append(cpu), IsOk());
    ASSERT_THAT(log.BeginRun({}, SampleGpuTarget()), IsOkAndHolds(2));
    ASSERT_THAT(log.Append(gpu), IsOk());
  }
  {
    RecordLog log = Open().log;
    // Both are there already.
    const size_t before = Bytes().size();
    ASSERT_THAT(log.AddWorkload(Pool()), IsOk());
    EXPECT_EQ(Bytes().size(), before);
    ASSERT_THAT(log.BeginRun({}, measured_again), IsOkAndHolds(3));
    ASSERT_THAT(log.Append(cold), IsOk());
  }
  const LogContents contents = *ReadRecordLog(path_);
  EXPECT_THAT(contents.notes, IsEmpty());
  EXPECT_THAT(contents.records, ElementsAre(cpu, gpu, cold));
  EXPECT_EQ(contents.targets.at(cpu.target), SampleCpuTarget());
  EXPECT_EQ(contents.targets.at(gpu.target), SampleGpuTarget());
  EXPECT_THAT(contents.workloads,
              UnorderedElementsAre(Key(Matmul().key), Key(Pool().key)));
  const Workload& matmul = contents.workloads.at(Matmul().key);
  EXPECT_EQ(matmul.pipeline, "\xff");
  EXPECT_EQ(matmul.notes, Matmul().notes);
  EXPECT_EQ(contents.NameOf(gpu.workload), "pool");
  EXPECT_EQ(contents.NameOf(gpu.target), "a100");
  EXPECT_EQ(contents.NameOf(WorkloadKey{1}), "0000000000000001");
  EXPECT_EQ(contents.NameOf(TargetKey{1}), "0000000000000001");
  ASSERT_THAT(contents.runs, SizeIs(3));
  EXPECT_EQ(contents.runs.at(1).info.seed, 7);
  EXPECT_EQ(contents.runs.at(1).info.Option("model"), "odd \xef\xbf\xbd");
  EXPECT_EQ(contents.runs.at(1).info.program, kProgramVersion);
  EXPECT_EQ(contents.runs.at(2).target, gpu.target);
  EXPECT_EQ(contents.runs.at(3).target, cpu.target);
  EXPECT_EQ(contents.runs.at(3).fp32_gflops, 123);
}

TEST_F(RecordLogTest, RecordsComeAfterWhatTheyName) {
  RecordLog log = Open().log;
  EXPECT_THAT(log.Append(Record(0)), StatusIs(absl::StatusCode::kInternal));
  ASSERT_THAT(log.BeginRun({}, SampleCpuTarget()), IsOk());
  EXPECT_THAT(log.Append(Record(0)), StatusIs(absl::StatusCode::kInternal));
  ASSERT_THAT(log.AddWorkload(Matmul()), IsOk());
  EXPECT_THAT(log.Append(Record(0)), IsOk());
}

TEST_F(RecordLogTest, FailuresOfAnyBytesComeBack) {
  MeasureRecord failed = Record(0);
  failed.result = FailedResult(FailureKind::kCrash, "it said \xff");
  Write(0);
  ASSERT_THAT(Open().log.Append(failed), IsOk());
  const LogContents contents = *ReadRecordLog(path_);
  EXPECT_EQ(contents.unreadable, 0);
  ASSERT_THAT(contents.records, SizeIs(1));
  EXPECT_EQ(contents.records[0].result.failure->message,
            "it said \xef\xbf\xbd");
}

TEST_F(RecordLogTest, ATornTailIsCutOffAndTold) {
  const std::string one = Write(1);
  ASSERT_THAT(Open().log.Append(Record(1)), IsOk());
  const std::string two = Bytes();
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

TEST_F(RecordLogTest, AFileThatEndsInItsFirstEntryIsStartedAgain) {
  Open();
  const std::string bytes = Bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    SetBytes(bytes.substr(0, size));
    EXPECT_THAT(ReadRecordLog(path_).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(Open().contents.records, IsEmpty());
    EXPECT_EQ(Bytes(), bytes);
  }
}

// Each entry in turn is damaged: what it said is lost, and nothing else.
TEST_F(RecordLogTest, DamageCostsTheDamagedEntry) {
  const std::string whole = Write(2);
  enum { kFormat, kTarget, kRun, kWorkload, kFirstRecord };
  size_t offset = 17;
  for (int entry = kFormat; entry <= kFirstRecord; ++entry) {
    SCOPED_TRACE(entry);
    std::string bytes = whole;
    bytes[offset + 18] ^= 1;
    SetBytes(bytes);
    const LogContents read = *ReadRecordLog(path_);
    EXPECT_THAT(read.targets, SizeIs(entry == kTarget ? 0 : 1));
    EXPECT_THAT(read.runs, SizeIs(entry == kRun ? 0 : 1));
    EXPECT_THAT(read.workloads, SizeIs(entry == kWorkload ? 0 : 1));
    EXPECT_THAT(read.records, SizeIs(entry == kFirstRecord ? 1 : 2));
    const bool nameless = entry == kTarget || entry == kWorkload;
    ASSERT_THAT(read.notes, SizeIs(nameless ? 2 : 1));
    EXPECT_THAT(read.notes[0], HasSubstr("checksum"));
    if (nameless) {
      EXPECT_THAT(read.notes[1], HasSubstr("2 of the 2 records of "));
    }
    {
      auto [log, contents] = Open();
      EXPECT_EQ(contents.records, read.records);
      // A run's number is not used again.
      EXPECT_THAT(log.BeginRun({}, SampleCpuTarget()), IsOkAndHolds(2));
      EXPECT_THAT(log.AddWorkload(Matmul()), IsOk());
      EXPECT_THAT(log.Append(Record(2)), IsOk());
    }
    EXPECT_EQ(Bytes().substr(0, bytes.size()), bytes);
    const LogContents after = *ReadRecordLog(path_);
    EXPECT_THAT(after.notes, SizeIs(1));
    EXPECT_THAT(after.targets, SizeIs(1));
    EXPECT_THAT(after.workloads, SizeIs(1));
    offset = whole.find(whole.substr(17, 8), offset + 1);
  }
}

TEST_F(RecordLogTest, WhatThisVersionCannotReadIsSkippedAndKept) {
  Write(1);
  proto::LogEntry newer_step;
  *newer_step.mutable_measurement() = ToProto(Record(1));
  newer_step.mutable_measurement()
      ->mutable_schedule()
      ->mutable_steps(0)
      ->Clear();
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
                AllOf(HasSubstr("3 of the 8 entries of "),
                      HasSubstr("step 0 of the schedule is of no known kind")));
    EXPECT_EQ(Bytes(), bytes);
    ASSERT_THAT(log.Append(Record(2)), IsOk());
  }
  EXPECT_THAT(ReadRecordLog(path_)->records, ElementsAre(Record(0), Record(2)));
}

TEST_F(RecordLogTest, RecordsThatAreThereAgainCountOnce) {
  const std::string bytes = Write(3);
  SetBytes(bytes + bytes);
  const LogContents twice = *ReadRecordLog(path_);
  EXPECT_THAT(twice.records, ElementsAre(Record(0), Record(1), Record(2)));
  EXPECT_THAT(twice.notes, ElementsAre(HasSubstr("17 bytes at offset "),
                                       HasSubstr("3 of the records in " +
                                                 path_ + " are there again")));
  // A race times a program again, and has a number of its own.
  MeasureRecord race = Record(2);
  race.trial = 3;
  race.race = true;
  // Of another log that was appended: numbered alike, timed at another time.
  MeasureRecord other = Record(0);
  other.time = absl::FromUnixSeconds(1);
  SetBytes(bytes);
  {
    RecordLog log = Open().log;
    ASSERT_THAT(log.Append(race), IsOk());
    ASSERT_THAT(log.Append(other), IsOk());
  }
  const LogContents contents = Open().contents;
  EXPECT_THAT(contents.records,
              ElementsAre(Record(0), Record(1), Record(2), race, other));
  EXPECT_THAT(contents.notes, IsEmpty());
}

TEST_F(RecordLogTest, ANewerFormatIsRefused) {
  proto::LogEntry entry;
  entry.mutable_format()->set_version(3);
  entry.mutable_format()->set_program("pruner 7\n");
  AppendEntry(entry);
  SetBytes(Bytes() + "torn");
  const auto says = AllOf(
      HasSubstr("a record log of format 3, made by pruner 7 , and this "
                "program, pruner "),
      HasSubstr("reads formats up to 2; use the program that made it, or "));
  ExpectRefused(says);
  EXPECT_THAT(ReadRecordLog(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition, says));
}

TEST_F(RecordLogTest, KeysThatMeanSomethingElseAreRefused) {
  const std::string valid = Write(1);
  proto::LogEntry workload;
  *workload.mutable_workload() = ToProto(Pool());
  workload.mutable_workload()->set_key(1);
  AppendEntry(workload);
  ExpectRefused(
      HasSubstr("workload 'pool' does not match its key "
                "0000000000000001: it is damaged, or was made by"));
  LogContents contents = *ReadRecordLog(path_);
  EXPECT_THAT(contents.notes, ElementsAre(HasSubstr("does not match its key")));
  EXPECT_THAT(contents.records, SizeIs(1));
  EXPECT_THAT(contents.workloads, SizeIs(1));

  SetBytes(valid);
  proto::LogEntry target;
  target.mutable_target()->set_key(1);
  *target.mutable_target()->mutable_spec() =
      TargetSpecToProto(SampleGpuTarget());
  AppendEntry(target);
  ExpectRefused(HasSubstr("target 'a100' does not match its key "));
  EXPECT_THAT(ReadRecordLog(path_)->targets, SizeIs(1));
}

TEST_F(RecordLogTest, SomebodyElsesLogIsLeftAlone) {
  const RecordLog::Opened first = Open();
  EXPECT_THAT(RecordLog::Open(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("another process is writing to ")));
}

TEST_F(RecordLogTest, OtherFilesAreLeftAlone) {
  SetBytes("my diary");
  ExpectRefused(HasSubstr("not a record file"));
  SetBytes("");
  {
    RecordFileWriter writer = RecordFileWriter::Open(path_).value().writer;
    ASSERT_THAT(writer.Append("a diary in frames"), IsOk());
  }
  ExpectRefused(HasSubstr("none of its entries is one of a record log"));
  EXPECT_THAT(ReadRecordLog(directory_.File("none")),
              StatusIs(absl::StatusCode::kNotFound));
}

// Logs of format 1.

void AddLegacyHeader(proto::LogEntry& entry) {
  entry.mutable_header()->set_format_version(1);
  entry.mutable_header()->set_model("tiny");
  entry.mutable_header()->set_target("sample-2c");
  entry.mutable_header()->set_target_fingerprint(5);
  entry.mutable_header()->set_batch(2);
}

void AddLegacyRecord(proto::LogEntry& entry) {
  proto::MeasureRecord& record = *entry.mutable_record();
  record.set_workload_hash(7);
  record.set_workload_name("matmul");
  record.mutable_schedule()->add_steps()->mutable_compute_root()->set_stage(2);
  record.mutable_result()->add_seconds(0.5);
  record.set_seed(3);
  record.set_trial(4);
}

TEST_F(RecordLogTest, Format1IsReadOnly) {
  proto::LogEntry header, record;
  AddLegacyHeader(header);
  AddLegacyRecord(record);
  AppendEntry(header);
  AppendEntry(record);
  SetBytes(Bytes() + "torn");
  ExpectRefused(AllOf(HasSubstr("a record log of format 1, which is only read"),
                      HasSubstr("makes it one of format 2; or choose another "
                                "--output_dir, or --fresh")));
  const LogContents contents = *ReadRecordLog(path_);
  EXPECT_THAT(contents.records, IsEmpty());
  EXPECT_THAT(contents.notes, ElementsAre(HasSubstr(" dropped: ")));
  ASSERT_TRUE(contents.legacy.has_value());
  EXPECT_EQ(contents.legacy->header, (LegacyHeader{.model = "tiny",
                                                   .target = "sample-2c",
                                                   .target_fingerprint = 5,
                                                   .batch = 2}));
  EXPECT_THAT(contents.legacy->records,
              ElementsAre(LegacyRecord{
                  .workload_hash = 7,
                  .workload_name = "matmul",
                  .schedule = {.steps = {ComputeRootStep{.stage = 2}}},
                  .result = {.seconds = {0.5}},
                  .seed = 3,
                  .trial = 4}));
}

TEST_F(RecordLogTest, RecordsOfFormat1CountOnceToo) {
  proto::LogEntry header, record;
  AddLegacyHeader(header);
  AddLegacyRecord(record);
  for (const proto::LogEntry& entry : {header, record, header, record})
    AppendEntry(entry);
  const LogContents contents = *ReadRecordLog(path_);
  EXPECT_THAT(contents.legacy->records, SizeIs(1));
  EXPECT_THAT(contents.notes, ElementsAre(HasSubstr("1 of the records in ")));
}

TEST_F(RecordLogTest, Format1IsReadWithoutItsHeader) {
  proto::LogEntry header, record;
  AddLegacyHeader(header);
  AddLegacyRecord(record);
  AppendEntry(header);
  AppendEntry(record);
  std::string bytes = Bytes();
  bytes[17 + 18] ^= 1;
  SetBytes(bytes);
  const LogContents contents = *ReadRecordLog(path_);
  EXPECT_FALSE(contents.legacy->header.has_value());
  EXPECT_THAT(contents.legacy->records, SizeIs(1));
  EXPECT_THAT(contents.notes, ElementsAre(HasSubstr("checksum"),
                                          HasSubstr("has lost its header")));
  ExpectRefused(HasSubstr("format 1"));
}

}  // namespace
}  // namespace pruner
