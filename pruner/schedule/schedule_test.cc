#include "gtest/gtest.h"
#include "pruner/schedule/schedule_proto.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

// One step of each kind, every field different from its default.
constexpr char kEveryKind[] =
    "split stage=4 iterator=2 lengths=1,7,0 tail=shift_inwards\n"
    "follow_split stage=5 iterator=3 source_step=1 levels=2 tail=round_up\n"
    "fuse stage=5 iterator=1 count=3\n"
    "reorder stage=4 order=2,0,1\n"
    "annotate stage=5 iterator=6 annotation=vectorize\n"
    "auto_unroll stage=4 max_step=64\n"
    "compute_at stage=4 target_stage=5 target_iterator=7\n"
    "compute_inline stage=3\n"
    "compute_root stage=2\n"
    "follow_fused_split stage=6 iterator=1 source_steps=0,1 level=2 "
    "tail=round_up\n"
    "store_in stage=6 storage=shared\n"
    "cache_write stage=7\n"
    "cache_read stage=8 readers=9,11\n"
    "rfactor stage=9 axis=2 factor=16 part=inner\n"
    "storage_order stage=10 order=1,2,0\n"
    "stream stage=11 source=3 max_bytes=4096\n"
    "slide stage=12\n";

TEST(ScheduleTest, TextRoundTrips) {
  const absl::StatusOr<Schedule> schedule = ParseSchedule(kEveryKind);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  ASSERT_EQ(schedule->steps.size(), std::variant_size_v<TransformStep>);
  for (size_t i = 0; i < schedule->steps.size(); ++i)
    EXPECT_EQ(schedule->steps[i].index(), i);
  EXPECT_EQ(PrintSchedule(*schedule), kEveryKind);
}

TEST(ScheduleTest, ProtoRoundTrips) {
  const Schedule schedule = *ParseSchedule(kEveryKind);
  const absl::StatusOr<Schedule> back = FromProto(ToProto(schedule));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, schedule);
}

TEST(ScheduleTest, ProtoOfANewerVersionIsRefused) {
  proto::Schedule message = ToProto(*ParseSchedule(kEveryKind));
  message.mutable_steps(2)->Clear();
  EXPECT_EQ(FromProto(message).status().message(),
            "step 2 of the schedule is of no known kind");
}

TEST(ScheduleTest, ProtoWithUnknownEnumeratorsIsRefused) {
  for (const int step : {0, 1}) {
    proto::Schedule message = ToProto(*ParseSchedule(kEveryKind));
    if (step == 0) {
      message.mutable_steps(0)->mutable_split()->set_tail(
          static_cast<proto::Tail>(7));
    } else {
      message.mutable_steps(1)->mutable_follow_split()->set_tail(
          static_cast<proto::Tail>(-1));
    }
    EXPECT_EQ(FromProto(message).status().message(),
              step == 0 ? "step 0 of the schedule has no known tail: 7"
                        : "step 1 of the schedule has no known tail: -1");
  }
  proto::Schedule message = ToProto(*ParseSchedule(kEveryKind));
  message.mutable_steps(4)->mutable_annotate()->set_annotation(
      static_cast<proto::Annotation>(9));
  EXPECT_EQ(FromProto(message).status().message(),
            "step 4 of the schedule has no known annotation: 9");
}

TEST(ScheduleTest, CommentsAndEmptyLinesAreSkipped) {
  const absl::StatusOr<Schedule> schedule =
      ParseSchedule("# a comment\n\n  compute_root stage=2  # another\n");
  ASSERT_TRUE(schedule.ok());
  EXPECT_EQ(PrintSchedule(*schedule), "compute_root stage=2\n");
}

TEST(ScheduleTest, ErrorsNameLineAndField) {
  const auto error = [](const char* text) {
    return std::string(ParseSchedule(text).status().message());
  };
  EXPECT_EQ(error("compute_root stage=1\nturn stage=2"),
            "line 2 of the schedule: unknown step 'turn'");
  EXPECT_EQ(
      error("fuse stage=1 count=x"),
      "line 1 of the schedule: fuse lacks iterator; bad value 'x' of count");
  EXPECT_EQ(error("compute_root stage=1 speed=2"),
            "line 1 of the schedule: compute_root unknown field speed");
  EXPECT_EQ(error("annotate stage=1 iterator=0 annotation=fast"),
            "line 1 of the schedule: annotate bad value 'fast' of annotation");
}

TEST(ScheduleTest, FinalStagesCountWhatLaterStepsInsert) {
  const Schedule schedule = *ParseSchedule(
      "compute_root stage=5\n"
      "cache_write stage=3\n"
      "compute_root stage=3\n"
      "compute_root stage=4\n"
      "cache_read stage=1 readers=3\n"
      "compute_root stage=2\n"
      "rfactor stage=1 axis=0 factor=2 part=outer\n");
  EXPECT_EQ(FinalStages(schedule), (std::vector<int>{8, 5, 5, 6, 2, 3, 1}));
}

}  // namespace
}  // namespace pruner
