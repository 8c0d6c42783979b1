#include "tools/records/show_log.h"

#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr TargetKey kCpu = {1}, kGpu = {2};
constexpr WorkloadKey kConv = {7}, kMatmul = {8};

MeasureRecord Timed(WorkloadKey workload, TargetKey target, double seconds) {
  return {.workload = workload,
          .target = target,
          .run = 1,
          .result = {.seconds = {seconds}}};
}

LogContents Sample() {
  LogContents log;
  Workload conv("conv\n\x1b[2J", "", MatmulReluDag(1, 1, 1));
  conv.key = kConv;
  log.workloads.emplace(kConv, conv);
  log.targets[kCpu].name = "cpu";
  log.targets[kGpu].name = "gpu";
  log.runs[1] = {.id = 1,
                 .target = kCpu,
                 .info = {.seed = 5,
                          .policy = "mutate",
                          .options = {{"model", "tiny"}, {"batch", "2"}},
                          .program = "pruner 0",
                          .halide = "21.0.0",
                          .host = "here",
                          .time = absl::FromUnixSeconds(1'700'000'000)}};
  log.records = {Timed(kConv, kCpu, 0.0123), Timed(kConv, kCpu, 0.5),
                 Timed(kMatmul, kCpu, 1.5), Timed(kConv, kGpu, 0.001),
                 Timed(kConv, kCpu, 0.02)};
  log.records[1].result = FailedResult(FailureKind::kCrash, "");
  log.records[4].measure_policy = "cold";
  return log;
}

TEST(ShowLogTest, SummaryHasATableForEachTarget) {
  EXPECT_EQ(
      SummaryText(Sample()),
      "cpu (0000000000000001):\n"
      "workload                       key  measured  trials  best ms  "
      "failures\n"
      "----------------  ----------------  --------  ------  -------  "
      "--------\n"
      "0000000000000008  0000000000000008  warm           1   1500.0  -\n"
      "conv  [2J         0000000000000007  cold           1     20.0  -\n"
      "conv  [2J         0000000000000007  warm           2     12.3  crash:1\n"
      "\n"
      "gpu (0000000000000002):\n"
      "workload                key  measured  trials  best ms  failures\n"
      "---------  ----------------  --------  ------  -------  --------\n"
      "conv  [2J  0000000000000007  warm           1     1.00  -\n"
      "\n"
      "5 records of 2 workloads on 2 targets, by 1 run\n");
}

TEST(ShowLogTest, TheBestIsTheLastRacesAndNoTrial) {
  LogContents log = Sample();
  MeasureRecord race = Timed(kConv, kCpu, 0.0456);
  race.race = true;
  log.records.push_back(race);
  EXPECT_THAT(
      SummaryText(log),
      HasSubstr(
          "conv  [2J         0000000000000007  warm           2     45.6  "
          "crash:1\n"));
  EXPECT_THAT(BestRecordsText(log), HasSubstr("\"race\":true"));
  EXPECT_THAT(AllRecordsText(log), HasSubstr("\"seconds\":[0.0123]"));
}

TEST(ShowLogTest, RunsHaveALineEach) {
  EXPECT_EQ(
      RunsText(Sample()),
      "run  began (UTC)          records  target  seed  policy  program   "
      "Halide  host  options\n"
      "---  -------------------  -------  ------  ----  ------  --------  "
      "------  ----  ------------------\n"
      "  1  2023-11-14 22:13:20        5  cpu        5  mutate  pruner 0  "
      "21.0.0  here  model=tiny batch=2\n");
}

TEST(ShowLogTest, RecordsAreJson) {
  const LogContents log = Sample();
  const std::vector<std::string> lines =
      absl::StrSplit(AllRecordsText(log), '\n');
  ASSERT_THAT(lines, SizeIs(6));  // the last is empty
  for (int i = 0; i < 5; ++i)
    EXPECT_THAT(ParseRecord(lines[i]), IsOkAndHolds(log.records[i]));
  EXPECT_THAT(lines[0], HasSubstr("\"name\":\"conv\\n\\u001b[2J\""));
  const std::vector<std::string> best =
      absl::StrSplit(BestRecordsText(log), '\n');
  EXPECT_THAT(best, SizeIs(5));
}

TEST(ShowLogTest, AnEmptyLog) {
  EXPECT_EQ(SummaryText({}),
            "0 records of 0 workloads on 0 targets, by 0 runs\n");
  EXPECT_EQ(AllRecordsText({}), "");
}

TEST(ShowLogTest, Format1) {
  const LogContents log = *ReadRecordLog("testdata/logs/tiny.log");
  const std::string summary = SummaryText(log);
  EXPECT_THAT(summary, HasSubstr("\nconv2d_3x3_s2_16x16x3_8_bias_relu "));
  EXPECT_THAT(summary, HasSubstr("  4bd7088dbae9355a  "));
  EXPECT_THAT(summary, HasSubstr("\n10 records of tiny, batch 1, for "));
  EXPECT_THAT(RunsText(log), StartsWith("logs of format 1 "));
  const std::vector<std::string> lines =
      absl::StrSplit(AllRecordsText(log), '\n');
  EXPECT_THAT(lines, SizeIs(11));
  EXPECT_THAT(lines[0],
              HasSubstr("\"name\":\"conv2d_3x3_s2_16x16x3_8_bias_relu\","
                        "\"workload\":\"4bd7088dbae9355a\""));
}

}  // namespace
}  // namespace pruner
