#include "halide_ext/plugin/schedule_check.h"

#include <string>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/fuzz_crasher.pb.h"
#include "pruner/base/os/files.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using testing::HasSubstr;

// out = in + 1 by blocks of 64 threads.
class ScheduleCheckTest : public testing::Test {
 protected:
  static Workload MakeSubject() {
    const Halide::Var x("x"), y("y");
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, 300}, {0, 200}});
    Halide::Func out("out");
    out(x, y) = in(x, y) + 1.0f;
    out.set_estimates({{0, 300}, {0, 200}});
    return MakeWorkload("subject", Halide::Pipeline(out), Sizes::kEstimates)
        .value();
  }

  const Workload workload_ = MakeSubject();
  const Schedule schedule_ =
      ParseSchedule(
          "fuse stage=1 iterator=0 count=2\n"
          "split stage=1 iterator=0 lengths=64 tail=guard\n"
          "annotate stage=1 iterator=0 annotation=block\n"
          "annotate stage=1 iterator=1 annotation=thread\n")
          .value();
  TargetSpec target_ = SampleGpuTarget();
};

TEST_F(ScheduleCheckTest, WhatIsCompiledCanBeUsed) {
  const auto checked = CheckSchedule(workload_, schedule_, target_);
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(*checked, schedule_);
}

TEST_F(ScheduleCheckTest, WhatTheDeviceDoesNotHaveIsARefusal) {
  target_.limits.threads_per_block = 32;
  const absl::Status status =
      CheckSchedule(workload_, schedule_, target_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("64 threads in a block, more than the 32 that the "
                        "target allows"));
}

TEST_F(ScheduleCheckTest, WhatHalideCrashesAtIsARefusal) {
  proto::FuzzCrasher crasher;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      ReadFile("testdata/halide_crashers/stages_that_are_skipped.txtpb")
          .value(),
      &crasher));
  Workload workload = workload_;
  workload.pipeline = crasher.pipeline();
  TargetSpec host = SampleCpuTarget();
  host.halide_target = Halide::get_host_target().to_string();
  EXPECT_EQ(CheckSchedule(workload, Schedule(), host).status(),
            absl::OkStatus());
  const absl::Status status =
      CheckSchedule(workload, ParseSchedule(crasher.schedule()).value(), host)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Halide does not come to an end with the schedule"));
}

TEST_F(ScheduleCheckTest, WhatHalideMakesNoVectorsOfHasNone) {
  const Halide::Var x("x");
  Halide::ImageParam in(Halide::UInt(16), 1, "in");
  in.set_estimates({{0, 300}});
  Halide::Func halves("halves"), out("out");
  halves(x) = Halide::cast<double>(in(x)) * Halide::Expr(0.5);
  out(x) = Halide::sqrt(halves(x));
  out.set_estimates({{0, 300}});
  const Workload roots =
      MakeWorkload("roots", Halide::Pipeline(out), Sizes::kEstimates).value();
  const TargetSpec host = SampleCpuTarget();
  const auto checked = [&](absl::string_view steps) {
    return PrintSchedule(
        CheckSchedule(roots, ParseSchedule(steps).value(), host).value());
  };
  EXPECT_EQ(checked(""), "");
  EXPECT_EQ(checked("split stage=1 iterator=0 lengths=8 tail=guard\n"
                    "annotate stage=1 iterator=1 annotation=vectorize\n"
                    "split stage=2 iterator=0 lengths=8 tail=guard\n"
                    "annotate stage=2 iterator=1 annotation=vectorize\n"),
            "split stage=1 iterator=0 lengths=8 tail=guard\n"
            "annotate stage=1 iterator=1 annotation=none\n"
            "split stage=2 iterator=0 lengths=8 tail=guard\n"
            "annotate stage=2 iterator=1 annotation=vectorize\n");
  // There they are part of the other stage.
  EXPECT_EQ(checked("compute_inline stage=1\n"
                    "split stage=2 iterator=0 lengths=8 tail=guard\n"
                    "annotate stage=2 iterator=1 annotation=vectorize\n"),
            "compute_inline stage=1\n"
            "split stage=2 iterator=0 lengths=8 tail=guard\n"
            "annotate stage=2 iterator=1 annotation=none\n");
}

TEST_F(ScheduleCheckTest, AProcessThatBreaksIsARefusal) {
  Workload broken = workload_;
  broken.pipeline = "garbage";
  EXPECT_EQ(CheckSchedule(broken, schedule_, target_).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  if (argc > 1 && absl::string_view(argv[1]) == pruner::kCheckArgument)
    return pruner::RunScheduleCheck();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
