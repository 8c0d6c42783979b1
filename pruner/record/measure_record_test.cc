#include "pruner/record/measure_record.h"

#include <cstdint>
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

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

MeasureRecord Timed() {
  return {.workload = {0xc0ffee},
          .target = {0xffffffffffffffff},
          .measure_policy = "cold 100MB",
          .run = 3,
          .schedule = *ParseSchedule("split stage=2 iterator=0 lengths=4,2 "
                                     "tail=guard\ncompute_root stage=2"),
          .result = {.seconds = {0.001, 1.0 / 3},
                     .compile_seconds = 0.25,
                     .max_error = 1e-7},
          .trial = 12,
          .time = absl::FromUnixNanos(1714564800'123456789)};
}

MeasureRecord Failed() {
  MeasureRecord record = Timed();
  record.result = FailedResult(FailureKind::kCrash,
                               "signal 11:\tx=\"1\"\n\\ \x1b[2J \xc3\xa9 \xe2"
                               "\x80\xa8");
  record.schedule = {};
  return record;
}

MeasureRecord Extreme() {
  MeasureRecord record = Timed();
  record.run = record.trial = int64_t{1} << 53;
  record.time = absl::FromUnixNanos(std::numeric_limits<int64_t>::max());
  record.result.seconds = {kShortestSeconds, 1e300, 0.1};
  record.result.max_error = std::numeric_limits<double>::infinity();
  return record;
}

MeasureRecord WithGenes() {
  MeasureRecord record = Timed();
  record.genes = "skip multi_level_tiling #0123abcd 4 2 0";
  return record;
}

MeasureRecord Raced() {
  MeasureRecord record = WithGenes();
  record.race = true;
  return record;
}

TEST(MeasureRecordTest, ProtoRoundTrips) {
  for (const MeasureRecord& record :
       {Timed(), Failed(), Extreme(), WithGenes(), Raced()}) {
    proto::Measurement message;
    ASSERT_TRUE(message.ParseFromString(ToProto(record).SerializeAsString()));
    EXPECT_THAT(FromProto(message), IsOkAndHolds(record));
  }
}

// Records of older logs have none.
TEST(MeasureRecordTest, GenesAreOptional) {
  EXPECT_FALSE(ToProto(Timed()).has_genes());
  EXPECT_TRUE(ToProto(WithGenes()).has_genes());
  EXPECT_FALSE(absl::StrContains(PrintRecord(Timed()), "genes"));
  EXPECT_THAT(
      PrintRecord(WithGenes()),
      HasSubstr("\"genes\":\"skip multi_level_tiling #0123abcd 4 2 0\""));
}

// Older logs have none.
TEST(MeasureRecordTest, RacesAreToldApart) {
  MeasureRecord trial = Raced();
  trial.race = false;
  EXPECT_THAT(PrintRecord(Raced()), HasSubstr("\"race\":true"));
  EXPECT_THAT(PrintRecord(trial), HasSubstr("\"race\":false"));
  const std::string older =
      absl::StrReplaceAll(PrintRecord(trial), {{",\"race\":false", ""}});
  EXPECT_THAT(ParseRecord(older), IsOkAndHolds(trial));
  proto::Measurement message = ToProto(Raced());
  message.clear_race();
  EXPECT_EQ(message.SerializeAsString(), ToProto(trial).SerializeAsString());
  EXPECT_THAT(FromProto(message), IsOkAndHolds(trial));
}

TEST(MeasureRecordTest, JsonRoundTrips) {
  for (const MeasureRecord& record :
       {Timed(), Failed(), Extreme(), WithGenes(), Raced()}) {
    const std::string line = PrintRecord(record, "a name");
    EXPECT_FALSE(absl::StrContains(line, '\n'));
    EXPECT_FALSE(absl::StrContains(line, '\x1b'));
    EXPECT_THAT(ParseRecord(line), IsOkAndHolds(record)) << line;
  }
}

TEST(MeasureRecordTest, JsonIsForPeople) {
  EXPECT_EQ(
      PrintRecord(Timed(), "matmul 8x8"),
      "{\"trial\":12,\"run\":3,\"time\":\"2024-05-01T12:00:00.123456789+"
      "00:00\",\"name\":\"matmul 8x8\",\"workload\":\"0000000000c0ffee\","
      "\"target\":\"ffffffffffffffff\",\"measure_policy\":\"cold 100MB\","
      "\"seconds\":[0.001,0.33333333333333331],\"compile_seconds\":0.25,"
      "\"max_error\":1e-07,\"schedule\":\"split stage=2 iterator=0 "
      "lengths=4,2 tail=guard\\ncompute_root stage=2\\n\",\"race\":false}");
  EXPECT_THAT(PrintRecord(Failed()),
              HasSubstr("\"seconds\":[],\"failure\":{\"kind\":\"crash\","
                        "\"message\":\"signal 11:\\tx=\\\"1\\\"\\n"));
}

TEST(MeasureRecordTest, JsonOfSomethingElseIsRefused) {
  const auto error_after = [](const char* from, const char* to) {
    const std::string line =
        absl::StrReplaceAll(PrintRecord(Timed()), {{from, to}});
    return std::string(ParseRecord(line).status().message());
  };
  EXPECT_EQ(error_after("\"0000000000c0ffee\"", "\"\""),
            "the key of a workload is 16 hexadecimal digits, not ''");
  EXPECT_EQ(error_after("\"trial\":12", "\"trial\":-1"), "-1 is no count");
  EXPECT_EQ(error_after("\"run\":3", "\"run\":1e99"), "1e+99 is no count");
  EXPECT_THAT(error_after("\"run\"", "\"colour\""), HasSubstr("colour"));
  EXPECT_THAT(error_after("T12:", " noon "), HasSubstr("is no time"));
  EXPECT_EQ(error_after("[0.001,0.33333333333333331]", "[]"),
            "a result has either samples or a failure");
  EXPECT_EQ(error_after("compute_root", "teleport"),
            "line 2 of the schedule: unknown step 'teleport'");
  EXPECT_THAT(ParseRecord("{"), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(MeasureRecordTest, MessagesThatAreNoTextAreKept) {
  MeasureRecord record = Failed();
  record.result.failure->message = "printed \xff\xfe";
  proto::Measurement message;
  ASSERT_TRUE(message.ParseFromString(ToProto(record).SerializeAsString()));
  const absl::StatusOr<MeasureRecord> read = FromProto(message);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->result.failure->message, "printed \xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_THAT(ParseRecord(PrintRecord(record)), IsOkAndHolds(*read));
}

TEST(MeasureRecordTest, WhatCannotBeIsRefused) {
  proto::Measurement newer = ToProto(Timed());
  newer.mutable_schedule()->mutable_steps(1)->Clear();
  EXPECT_THAT(FromProto(newer),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "step 1 of the schedule is of no known kind"));
  proto::Measurement overflowing = ToProto(Timed());
  overflowing.set_trial(std::numeric_limits<int64_t>::max());
  EXPECT_THAT(FromProto(overflowing),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "its trial has the number 9223372036854775807"));
  proto::Measurement negative = ToProto(Timed());
  negative.set_run(-1);
  EXPECT_FALSE(FromProto(negative).ok());
}

}  // namespace
}  // namespace pruner
