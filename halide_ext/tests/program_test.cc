// A Program is what Halide makes of it: loops, extents, vectors, copies,
// initializations and places, for random pipelines and schedules.
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/fuzz_subject.h"
#include "halide_ext/tests/program_check.h"
#include "pruner/schedule/schedule_text.h"

ABSL_FLAG(uint64_t, seed, 1, "the first pipeline's");
ABSL_FLAG(int, pipelines, 400, "random pipelines, one for each seed");
ABSL_FLAG(int, schedules, 8, "schedules of each pipeline");
ABSL_FLAG(int, schedule, -1, "this schedule alone");
ABSL_FLAG(bool, opencl, false, "schedules for threads");

namespace pruner {
namespace {

struct Totals {
  int pairs = 0, of_several_stages = 0, different = 0, loops = 0, refused = 0,
      dead = 0;
};

void CheckPipeline(uint64_t seed, Totals& totals) {
  const FuzzDevice device =
      absl::GetFlag(FLAGS_opencl) ? FuzzDevice::kOpenCl : FuzzDevice::kHost;
  std::string text;
  absl::StatusOr<FuzzSubject> subject = FuzzSubject::Create(seed, device, text);
  ASSERT_TRUE(subject.ok()) << subject.status();
  const absl::StatusOr<WorkloadPipeline> pipeline =
      WorkloadPipeline::Load(subject->workload().pipeline);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  for (int which = 0; which < absl::GetFlag(FLAGS_schedules); ++which) {
    const int only = absl::GetFlag(FLAGS_schedule);
    if (only >= 0 && which != only) continue;
    const absl::StatusOr<std::optional<Schedule>> schedule =
        subject->Draw(which);
    ASSERT_TRUE(schedule.ok()) << schedule.status();
    if (!schedule->has_value()) continue;
    const absl::StatusOr<ProgramCheck> check =
        CheckProgram(*pipeline, **schedule, FuzzTarget(device));
    if (!check.ok()) {
      ADD_FAILURE() << "seed " << seed << " schedule " << which << ": "
                    << check.status();
      ++totals.refused;
      continue;
    }
    if (check->has_dead_stage) {
      ++totals.dead;
      continue;
    }
    ++totals.pairs;
    totals.of_several_stages += check->stages >= 3 && check->attached > 0;
    totals.loops += check->loops;
    if (check->differences.empty()) continue;
    ++totals.different;
    std::string message;
    for (const std::string& difference : check->differences)
      absl::StrAppend(&message, "  ", difference, "\n");
    if (only >= 0) {
      absl::StrAppend(&message, text, "\n", PrintSchedule(**schedule), "\n",
                      check->program, "\n", check->halide);
    }
    std::cout << "seed " << seed << " schedule " << which << "\n" << message;
  }
}

TEST(ProgramTest, IsWhatHalideMakesOfIt) {
  Totals totals;
  const uint64_t first = absl::GetFlag(FLAGS_seed);
  const uint64_t end = first + absl::GetFlag(FLAGS_pipelines);
  for (uint64_t seed = first; seed < end; ++seed) CheckPipeline(seed, totals);
  std::cout << totals.pairs << " pairs, " << totals.of_several_stages
            << " of them with three stages or more and one inside another, "
            << totals.loops << " loops; " << totals.different << " differ; "
            << totals.dead << " with a stage that nothing depends on\n";
  // Known to differ: some reads modulo a number, some vectors under guards that
  // Halide takes apart, copies of split loops under guards, and threads of
  // clamped copies.
  EXPECT_LE(totals.different * 100, totals.pairs);
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
