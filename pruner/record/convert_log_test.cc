#include "pruner/record/convert_log.h"

#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/record_log.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Workload Matmul() { return {"matmul", "pipeline", MatmulReluDag(4, 8, 16)}; }
Workload Pool() { return {"pool", "pipeline", MaxPoolDag(9, 8)}; }

proto::LogEntry Header() {
  proto::LogEntry entry;
  entry.mutable_header()->set_format_version(1);
  entry.mutable_header()->set_model("tiny");
  entry.mutable_header()->set_batch(2);
  entry.mutable_header()->set_target_fingerprint(
      LegacyTargetFingerprint(SampleCpuTarget()));
  return entry;
}

proto::LogEntry Record(const Workload& workload, int64_t trial) {
  proto::LogEntry entry;
  proto::MeasureRecord& record = *entry.mutable_record();
  record.set_workload_hash(LegacyWorkloadHash(workload.dag));
  record.mutable_schedule();
  record.mutable_result()->add_seconds(0.5);
  record.set_seed(3);
  record.set_trial(trial);
  return entry;
}

class ConvertLogTest : public testing::Test {
 protected:
  // A log of format 1: two records of one workload, one of another.
  void WriteOldLog() {
    RecordFileWriter writer = RecordFileWriter::Open(path_).value().writer;
    for (const proto::LogEntry& entry :
         {Header(), Record(Matmul(), 0), Record(Pool(), 1),
          Record(Matmul(), 2)})
      ASSERT_THAT(writer.Append(entry.SerializeAsString()), IsOk());
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("log");
};

TEST_F(ConvertLogTest, TheLogGoesOnInThePresentFormat) {
  WriteOldLog();
  const std::string old = *ReadFile(path_);
  EXPECT_THAT(ConvertLogFile(path_, {Matmul(), Pool()}, SampleCpuTarget()),
              IsOkAndHolds(ElementsAre(
                  HasSubstr("the old one is " + path_ + ".format1"))));
  EXPECT_EQ(*ReadFile(path_ + ".format1"), old);
  auto opened = RecordLog::Open(path_);
  ASSERT_THAT(opened, IsOk());
  const LogContents& contents = opened->contents;
  EXPECT_THAT(contents.notes, IsEmpty());
  ASSERT_THAT(contents.records, SizeIs(3));
  EXPECT_EQ(contents.records[1].workload, Pool().key);
  EXPECT_EQ(contents.records[2].trial, 2);
  EXPECT_EQ(contents.records[2].run, 1);
  const LoggedRun& run = contents.runs.at(1);
  EXPECT_EQ(run.info.seed, 3);
  EXPECT_EQ(run.info.Option("model"), "tiny");
  EXPECT_EQ(run.info.Option("batch"), "2");
  EXPECT_EQ(contents.workloads.at(Pool().key).pipeline, "pipeline");
  EXPECT_EQ(contents.targets.begin()->second, SampleCpuTarget());
}

TEST_F(ConvertLogTest, WhatIsOfAnotherNetworkStaysInTheOldLog) {
  WriteOldLog();
  EXPECT_THAT(ConvertLogFile(path_, {Pool()}, SampleCpuTarget()),
              IsOkAndHolds(ElementsAre(HasSubstr("2 of the 3 records"),
                                       HasSubstr("the old one is "))));
  EXPECT_THAT(ReadRecordLog(path_)->records, SizeIs(1));
}

TEST_F(ConvertLogTest, AnEarlierOldLogIsNotReplaced) {
  ASSERT_THAT(WriteFileAtomically(path_ + ".format1", "mine"), IsOk());
  WriteOldLog();
  EXPECT_THAT(ConvertLogFile(path_, {Pool()}, SampleCpuTarget()), IsOk());
  EXPECT_EQ(*ReadFile(path_ + ".format1"), "mine");
  EXPECT_TRUE(FileExists(path_ + ".format1.2"));
}

TEST_F(ConvertLogTest, NothingElseIsTouched) {
  ASSERT_THAT(WriteFileAtomically(path_ + ".new", "mine"), IsOk());
  WriteOldLog();
  EXPECT_THAT(ConvertLogFile(path_, {Pool()}, SampleCpuTarget()), IsOk());
  EXPECT_EQ(*ReadFile(path_ + ".new"), "mine");
  EXPECT_THAT(ListDirectory(directory_.path()),
              IsOkAndHolds(ElementsAre("log", "log.format1", "log.new")));
}

TEST_F(ConvertLogTest, WhatALinkLeadsToIsLeftAlone) {
  WriteOldLog();
  const std::string old = *ReadFile(path_);
  const std::string link = directory_.File("link");
  ASSERT_EQ(symlink("log", link.c_str()), 0);
  const auto refused =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr(link + " is a symbolic link to a record log of"));
  EXPECT_THAT(CheckRecordLog(link, {Pool()}, SampleCpuTarget()), refused);
  EXPECT_THAT(ConvertLogFile(link, {Pool()}, SampleCpuTarget()), refused);
  EXPECT_EQ(*ReadFile(path_), old);
  EXPECT_THAT(ListDirectory(directory_.path()),
              IsOkAndHolds(ElementsAre("link", "log")));
}

TEST_F(ConvertLogTest, WhatDoesNotFitIsLeftAlone) {
  WriteOldLog();
  const std::string old = *ReadFile(path_);
  const auto refused = [](absl::string_view why) {
    return StatusIs(absl::StatusCode::kFailedPrecondition,
                    HasSubstr(std::string(why)));
  };
  EXPECT_THAT(ConvertLogFile(path_, {Matmul()}, SampleGpuTarget()),
              refused("which is not 'a100' as it is now: their times do not "
                      "compare; " +
                      path_ + " stays as it is; choose another --output_dir"));
  const Workload other("other", "", MatmulReluDag(2, 2, 2));
  EXPECT_THAT(
      ConvertLogFile(path_, {other}, SampleCpuTarget()),
      refused("of model 'tiny', batch 2, none of whose records is of this"));
  {
    const RecordFileWriter::Opened writer = *RecordFileWriter::Open(path_);
    EXPECT_THAT(ConvertLogFile(path_, {Matmul()}, SampleCpuTarget()),
                refused("another process"));
  }
  EXPECT_EQ(*ReadFile(path_), old);
  EXPECT_THAT(ListDirectory(directory_.path()),
              IsOkAndHolds(ElementsAre("log")));
}

TEST_F(ConvertLogTest, OtherFilesAreForOpeningToJudge) {
  EXPECT_THAT(ConvertLogFile(path_, {Matmul()}, SampleCpuTarget()),
              IsOkAndHolds(IsEmpty()));
  ASSERT_THAT(RecordLog::Open(path_), IsOk());
  const std::string bytes = *ReadFile(path_);
  EXPECT_THAT(ConvertLogFile(path_, {Matmul()}, SampleCpuTarget()),
              IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(*ReadFile(path_), bytes);
  ASSERT_THAT(WriteFileAtomically(path_, "my diary"), IsOk());
  EXPECT_THAT(ConvertLogFile(path_, {Matmul()}, SampleCpuTarget()),
              IsOkAndHolds(IsEmpty()));
}

}  // namespace
}  // namespace pruner
