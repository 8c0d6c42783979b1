#include "pruner/record/measure_record.h"

#include <limits>
#include <string>

#include "absl/status/status_matchers.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

MeasureRecord Timed() {
  return {.workload_hash = 0xc0ffee,
          .workload_name = "matmul 8x8",
          .schedule = *ParseSchedule("split stage=2 iterator=0 lengths=4,2 "
                                     "tail=guard\ncompute_root stage=2"),
          .result = {.seconds = {0.001, 1.0 / 3},
                     .compile_seconds = 0.25,
                     .max_error = 1e-7},
          .seed = std::numeric_limits<uint64_t>::max(),
          .trial = 12,
          .time = absl::FromUnixNanos(1714564800'123456789)};
}

MeasureRecord Failed() {
  MeasureRecord record = Timed();
  record.workload_name = "tab\tand \\ and\nline and \xc3\xa9";
  record.result = FailedResult(FailureKind::kCrash, "signal 11: x=1\tend\n");
  record.schedule = {};
  return record;
}

TEST(MeasureRecordTest, ProtoRoundTrips) {
  for (const MeasureRecord& record : {Timed(), Failed()}) {
    EXPECT_THAT(FromProto(ToProto(record)), IsOkAndHolds(record));
  }
}

TEST(MeasureRecordTest, TextRoundTrips) {
  for (const MeasureRecord& record : {Timed(), Failed()}) {
    const std::string line = PrintRecord(record);
    EXPECT_FALSE(absl::StrContains(line, '\n'));
    EXPECT_THAT(ParseRecord(line), IsOkAndHolds(record)) << line;
  }
}

TEST(MeasureRecordTest, TextIsForPeople) {
  EXPECT_EQ(absl::StrReplaceAll(PrintRecord(Timed()), {{"\t", " | "}}),
            "trial=12 | workload=0000000000c0ffee | name=matmul 8x8 | "
            "seed=18446744073709551615 | time=2024-05-01T12:00:00.123456789Z | "
            "seconds=0.001,0.3333333333333333 | compile_seconds=0.25 | "
            "max_error=1e-07 | schedule=split stage=2 iterator=0 lengths=4,2 "
            "tail=guard; compute_root stage=2");
  EXPECT_THAT(PrintRecord(Failed()),
              HasSubstr("\tfailure=crash: signal 11: x=1\\tend\\n\t"));
}

TEST(MeasureRecordTest, ErrorsNameTheField) {
  const auto error_after = [](const char* from, const char* to) {
    const std::string line =
        absl::StrReplaceAll(PrintRecord(Timed()), {{from, to}});
    return std::string(ParseRecord(line).status().message());
  };
  EXPECT_EQ(error_after("\tseed=18446744073709551615", ""),
            "the record lacks the field seed");
  EXPECT_EQ(error_after("trial=12", "trial=twelve"),
            "the record's field trial has the value 'twelve'");
  EXPECT_EQ(error_after("seconds=0.001,", "seconds=0.001;"),
            "the record's field seconds has the value "
            "'0.001;0.3333333333333333'");
  EXPECT_EQ(error_after("trial=12", "trial=12\ttrial=13"),
            "the record has the field trial twice");
  EXPECT_EQ(error_after("trial=12", "trial=12\tcolour=red"),
            "the record has the unknown field colour");
  EXPECT_EQ(error_after("compute_root", "teleport"),
            "line 2 of the schedule: unknown step 'teleport'");
}

TEST(MeasureRecordTest, ProtoOfANewerVersionIsRefused) {
  proto::MeasureRecord message = ToProto(Timed());
  message.mutable_schedule()->mutable_steps(1)->Clear();
  EXPECT_THAT(FromProto(message),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "step 1 of the schedule is of no known kind"));
}

}  // namespace
}  // namespace pruner
