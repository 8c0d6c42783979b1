#include "tools/evaluate/data_set.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/sample_targets.h"
#include "tools/evaluate/sample_log.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(DataSetTest, HasTheProgramsOfEachTask) {
  const auto data = MakeDataSet({SampleLog({.programs = 20})});
  ASSERT_THAT(data, IsOk());
  ASSERT_THAT(data->tasks, SizeIs(2));
  EXPECT_EQ(data->tasks[0].name, "conv");
  EXPECT_EQ(data->tasks[1].name, "matmul");
  EXPECT_THAT(data->notes, IsEmpty());
  for (const DataTask& task : data->tasks) {
    EXPECT_THAT(task.programs, SizeIs(20));
    EXPECT_THAT(task.timed_twice, IsEmpty());
    EXPECT_EQ(task.num_failures(), 0);
    size_t called = 0;
    ForEachProgram(*data, task, [&](size_t i, const Program& program) {
      EXPECT_EQ(i, called++);
      EXPECT_FALSE(program.ToString().empty());
    });
    EXPECT_EQ(called, 20);
  }
}

TEST(DataSetTest, FailuresArePrograms) {
  const LogContents log = SampleLog({.programs = 50, .failure_rate = 0.3});
  const auto failed =
      std::count_if(log.records.begin(), log.records.end(),
                    [](const MeasureRecord& r) { return !r.result.ok(); });
  const auto data = MakeDataSet({log});
  ASSERT_THAT(data, IsOk());
  EXPECT_GT(failed, 0);
  EXPECT_EQ(data->tasks[0].num_failures() + data->tasks[1].num_failures(),
            failed);
  EXPECT_THAT(data->tasks[0].programs, SizeIs(50));
}

TEST(DataSetTest, RacesAreSecondTimings) {
  LogContents log = SampleLog({.programs = 10, .race = 2});
  for (MeasureRecord& record : log.records) {
    if (!record.race) continue;
    for (double& seconds : record.result.seconds) seconds *= 1.5;
  }
  const auto data = MakeDataSet({log});
  ASSERT_THAT(data, IsOk());
  for (const DataTask& task : data->tasks) {
    EXPECT_THAT(task.programs, SizeIs(10));
    ASSERT_FALSE(task.timed_twice.empty());
    for (const TimedTwice& twice : task.timed_twice)
      EXPECT_NEAR(twice.second, 1.5 * twice.first, 1e-9 * twice.first);
    EXPECT_EQ(task.timed_twice[0].first, task.best_seconds());
  }
}

TEST(DataSetTest, OfARepeatedProgramTheFirstTimingCounts) {
  const LogContents log = SampleLog({.programs = 10});
  LogContents later = log;
  for (MeasureRecord& record : later.records) record.result.seconds = {1e-9};
  const auto data = MakeDataSet({log, later});
  ASSERT_THAT(data, IsOk());
  EXPECT_THAT(data->tasks[0].programs, SizeIs(10));
  EXPECT_GT(data->tasks[0].best_seconds(), 1e-9);
  EXPECT_THAT(data->notes, ElementsAre(StartsWith("20 timings are left out")));
}

TEST(DataSetTest, WhatDoesNotFitIsCounted) {
  LogContents log = SampleLog({.programs = 10});
  log.records[0].schedule.steps = {
      SplitStep{.stage = 99, .iterator = 0, .lengths = {2}}};
  log.records[1].workload = {12345};
  const auto data = MakeDataSet({log});
  ASSERT_THAT(data, IsOk());
  EXPECT_THAT(data->notes,
              ElementsAre(StartsWith("1 records are left out: the entry"),
                          StartsWith("1 schedules are left out")));
}

TEST(DataSetTest, ATaskOfFailuresIsLeftOut) {
  LogContents log = SampleLog({.programs = 10});
  const WorkloadKey first = log.records[0].workload;
  for (MeasureRecord& record : log.records) {
    if (record.workload == first)
      record.result = FailedResult(FailureKind::kCrash, "");
  }
  const auto data = MakeDataSet({log});
  ASSERT_THAT(data, IsOk());
  EXPECT_THAT(data->tasks, SizeIs(1));
  EXPECT_THAT(data->notes,
              ElementsAre(AllOf(StartsWith("conv"),
                                HasSubstr("none of its programs ran"))));
}

TEST(DataSetTest, WaysOfTimingAreTasksOfTheirOwn) {
  const LogContents warm = SampleLog({.programs = 5});
  LogContents cold = warm;
  for (MeasureRecord& record : cold.records) record.measure_policy = "memory";
  const auto data = MakeDataSet({warm, cold});
  ASSERT_THAT(data, IsOk());
  std::vector<std::string> names;
  for (const DataTask& task : data->tasks) names.push_back(task.name);
  EXPECT_THAT(names, ElementsAre("conv warm", "matmul warm", "conv memory",
                                 "matmul memory"));
}

TEST(DataSetTest, NamesAreDistinct) {
  LogContents log = SampleLog({.programs = 5});
  for (auto& [key, workload] : log.workloads) workload.name = "same";
  const auto data = MakeDataSet({log});
  ASSERT_THAT(data, IsOk());
  EXPECT_EQ(data->tasks[0].name, "same");
  EXPECT_THAT(
      data->tasks[1].name,
      StartsWith(absl::StrCat("same ", ToString(data->tasks[1].key.workload))));
}

TEST(DataSetTest, LogsThatCannotBeUsed) {
  const TempDirectory folder = TempDirectory::Create().value();
  EXPECT_THAT(ReadDataSet({folder.File("none")}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
  ASSERT_THAT(WriteFileAtomically(folder.File("text"), "no log"), IsOk());
  EXPECT_THAT(ReadDataSet({folder.File("text")}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(folder.File("text"))));
  EXPECT_THAT(
      ReadDataSet({"testdata/logs/tiny.log"}),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("format 1")));
  auto log = RecordLog::Open(folder.File("bare"));
  ASSERT_THAT(log, IsOk());
  ASSERT_THAT(log->log.BeginRun({}, SampleCpuTarget()), IsOk());
  EXPECT_THAT(ReadDataSet({folder.File("bare")}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("no program"), HasSubstr("bare"))));
}

}  // namespace
}  // namespace pruner
