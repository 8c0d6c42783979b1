// Users have logs like those in testdata/logs: every later version reads them,
// and writes the present format as it was. See testdata/README.md.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/record/run_info.h"
#include "pruner/schedule/schedule_text.h"
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

constexpr char kFormat1[] = "testdata/logs/tiny.log";
constexpr char kFormat1Torn[] = "testdata/logs/tiny_torn.log";
constexpr char kFormat2[] = "testdata/logs/format2.log";
constexpr size_t kFormat1Records = 10;

// A log with all there is: two targets, workloads, runs and measuring policies,
// a failure.
void WriteSample(const std::string& path) {
  const Workload matmul("matmul", std::string("\0\xff", 2),
                        MatmulReluDag(4, 8, 16), {"a note"});
  const Workload conv("conv \xc3\xa9", "pipeline",
                      ConvBiasReluDag({.size = 8, .stride = 2}));
  const TargetSpec targets[] = {SampleCpuTarget(), SampleGpuTarget()};
  const Schedule schedule = *ParseSchedule(
      "split stage=2 iterator=0 lengths=4,2 tail=guard\ncompute_root stage=2");
  RecordLog log = RecordLog::Open(path).value().log;
  int64_t trial = 0;
  for (const TargetSpec& target : targets) {
    const RunInfo info = {.seed = 1,
                          .policy = "mutate",
                          .options = {{"model", "tiny"}, {"batch", "1"}},
                          .program = "pruner 0",
                          .halide = "21.0.0",
                          .host = "here",
                          .time = absl::FromUnixSeconds(1'700'000'000)};
    const int64_t run = *log.BeginRun(info, target);
    for (const Workload& workload : {matmul, conv, matmul}) {
      ASSERT_THAT(log.AddWorkload(workload), IsOk());
      MeasureRecord record = {.workload = workload.key,
                              .target = TargetKeyOf(target),
                              .run = run,
                              .schedule = schedule,
                              .result = {.seconds = {0.001, 1.0 / 3},
                                         .compile_seconds = 0.25,
                                         .max_error = 1e-7},
                              .trial = trial,
                              .time = info.time + absl::Nanoseconds(1 + trial)};
      if (trial == 2) record.measure_policy = "cold";
      if (trial == 4)
        record.result = FailedResult(FailureKind::kCrash, "signal 11\n");
      ASSERT_THAT(log.Append(record), IsOk());
      ++trial;
    }
  }
}

// Writes what was read: each run and workload before its first record.
void WriteAgain(const LogContents& contents, const std::string& path) {
  RecordLog log = RecordLog::Open(path).value().log;
  std::set<int64_t> begun;
  for (const MeasureRecord& record : contents.records) {
    if (begun.insert(record.run).second) {
      const LoggedRun& run = contents.runs.at(record.run);
      EXPECT_THAT(log.BeginRun(run.info, contents.targets.at(run.target)),
                  IsOkAndHolds(record.run));
    }
    ASSERT_THAT(log.AddWorkload(contents.workloads.at(record.workload)),
                IsOk());
    ASSERT_THAT(log.Append(record), IsOk());
  }
}

// All but the first, which names the version of the program.
std::vector<std::string> Frames(const std::string& path) {
  std::vector<std::string> frames = ReadRecordFile(path)->records;
  frames.erase(frames.begin());
  return frames;
}

TEST(GoldenLogTest, Format2IsReadAndWrittenAsEver) {
  const auto workspace = GetEnv("BUILD_WORKSPACE_DIRECTORY");
  if (GetEnv("UPDATE_GOLDENS") && workspace) {
    const std::string golden = absl::StrCat(*workspace, "/", kFormat2);
    RemoveFile(golden).IgnoreError();
    return WriteSample(golden);
  }
  const LogContents contents = *ReadRecordLog(kFormat2);
  EXPECT_THAT(contents.notes, IsEmpty());
  EXPECT_THAT(contents.records, SizeIs(6));
  EXPECT_THAT(contents.targets, SizeIs(2));
  EXPECT_THAT(contents.workloads, SizeIs(2));
  EXPECT_THAT(contents.runs, SizeIs(2));
  for (const MeasureRecord& record : contents.records)
    EXPECT_THAT(ParseRecord(PrintRecord(record)), IsOkAndHolds(record));
  const TempDirectory folder = TempDirectory::Create().value();
  WriteAgain(contents, folder.File("copy"));
  EXPECT_EQ(Frames(folder.File("copy")), Frames(kFormat2));
}

TEST(GoldenLogTest, Format1IsReadAsEver) {
  const LogContents contents = *ReadRecordLog(kFormat1);
  EXPECT_THAT(contents.notes, IsEmpty());
  ASSERT_TRUE(contents.legacy.has_value());
  const LegacyLog& log = *contents.legacy;
  EXPECT_EQ(log.header->model, "tiny");
  EXPECT_EQ(log.header->batch, 1);
  ASSERT_THAT(log.records, SizeIs(kFormat1Records));
  for (size_t i = 0; i < kFormat1Records; ++i) {
    EXPECT_EQ(log.records[i].trial, static_cast<int64_t>(i));
    EXPECT_THAT(log.records[i].schedule.steps, Not(IsEmpty()));
  }
  EXPECT_EQ(log.records[0].workload_name, "conv2d_3x3_s2_16x16x3_8_bias_relu");
  EXPECT_EQ(log.records[0].workload_hash, 0x4bd7088dbae9355au);
  EXPECT_THAT(RecordLog::Open(kFormat1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("format 1, which is only read")));
}

TEST(GoldenLogTest, ATornLogLosesOneRecord) {
  const LogContents whole = *ReadRecordLog(kFormat1);
  const LogContents torn = *ReadRecordLog(kFormat1Torn);
  EXPECT_THAT(torn.notes, ElementsAre(HasSubstr(" dropped: ")));
  EXPECT_EQ(torn.legacy->header, whole.legacy->header);
  EXPECT_THAT(torn.legacy->records, SizeIs(kFormat1Records - 1));
}

}  // namespace
}  // namespace pruner
