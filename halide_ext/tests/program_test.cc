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
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"

ABSL_FLAG(uint64_t, seed, 1, "the first pipeline's");
ABSL_FLAG(int, pipelines, 1, "random pipelines, one for each seed");
ABSL_FLAG(int, schedules, 8, "schedules of each pipeline");
ABSL_FLAG(int, schedule, -1, "this schedule alone");
ABSL_FLAG(bool, opencl, false, "schedules for threads");
ABSL_FLAG(bool, slides, false,
          "only schedules in which a stage slides over a loop");
ABSL_FLAG(int, least_pairs, 0,
          "of pipeline and schedule, that must be compared");
ABSL_FLAG(int, least_nested, 0,
          "of them with three stages or more and one inside another");

namespace pruner {
namespace {

// Schedules of one kind are drawn until one has a stage inside another, so
// often.
constexpr int kDraws = 6;

struct Totals {
  int pairs = 0, nested = 0, slid = 0, different = 0, loops = 0, dead = 0;
};

FuzzMode Device() {
  return {.backend =
              absl::GetFlag(FLAGS_opencl) ? Backend::kOpenCl : Backend::kHost,
          .slides = absl::GetFlag(FLAGS_slides)};
}

// Three stages or more, and one inside another.
bool IsNested(const ComputeDag& dag, const Schedule& schedule) {
  const absl::StatusOr<Program> program =
      Resolve(dag, schedule, FuzzTarget(Device()));
  if (!program.ok()) return false;
  int stages = 0, attached = 0;
  for (const ProgramStage& stage : program->stages) {
    stages += !stage.is_absent;
    attached += !stage.is_absent && stage.at_stage >= 0;
  }
  return stages >= 3 && attached > 0;
}

// One of the kind of schedule `which`, which becomes the number of it.
absl::StatusOr<std::optional<Schedule>> DrawNested(FuzzSubject& subject,
                                                   int& which) {
  absl::StatusOr<std::optional<Schedule>> schedule = subject.Draw(which);
  if (absl::GetFlag(FLAGS_schedule) >= 0) return schedule;
  const int schedules = absl::GetFlag(FLAGS_schedules);
  for (int draw = 1; draw < kDraws && which > 0; ++draw) {
    if (!schedule.ok() || !schedule->has_value() ||
        IsNested(subject.workload().dag, **schedule)) {
      break;
    }
    which += schedules;
    schedule = subject.Draw(which);
  }
  return schedule;
}

void CheckSchedule(FuzzSubject& subject, const WorkloadPipeline& pipeline,
                   const std::string& name, const std::string& text, int which,
                   Totals& totals) {
  const absl::StatusOr<std::optional<Schedule>> schedule =
      DrawNested(subject, which);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  if (!schedule->has_value()) return;
  const std::string full_name = absl::StrCat(name, " --schedule=", which);
  const absl::StatusOr<ProgramCheck> check =
      CheckProgram(pipeline, **schedule, FuzzTarget(Device()));
  ASSERT_TRUE(check.ok()) << full_name << ": " << check.status();
  if (check->has_dead_stage) {
    ++totals.dead;
    return;
  }
  ++totals.pairs;
  totals.nested += check->stages >= 3 && check->attached > 0;
  totals.slid += check->slid > 0;
  totals.loops += check->loops;
  if (check->differences.empty()) return;
  ++totals.different;
  std::string message = absl::StrCat(full_name, "\n");
  for (const std::string& difference : check->differences)
    absl::StrAppend(&message, "  ", difference, "\n");
  if (absl::GetFlag(FLAGS_schedule) >= 0) {
    absl::StrAppend(&message, text, "\n", PrintSchedule(**schedule), "\n",
                    check->program, "\n", check->halide);
  }
  ADD_FAILURE() << message;
}

void CheckPipeline(uint64_t seed, Totals& totals) {
  std::string text;
  absl::StatusOr<FuzzSubject> subject = FuzzSubject::Create(
      seed, Device(), text, StageLimits{.least = 3, .most = 8});
  ASSERT_TRUE(subject.ok()) << subject.status();
  const absl::StatusOr<WorkloadPipeline> pipeline =
      WorkloadPipeline::Load(subject->workload().pipeline);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const std::string name = absl::StrCat("--seed=", seed);
  const int only = absl::GetFlag(FLAGS_schedule);
  if (only >= 0) {
    CheckSchedule(*subject, *pipeline, name, text, only, totals);
    return;
  }
  for (int which = 0; which < absl::GetFlag(FLAGS_schedules); ++which)
    CheckSchedule(*subject, *pipeline, name, text, which, totals);
}

// Of every so many pipelines one, so that parts can run at the same time.
constexpr int kParts = 4;

class ProgramTest : public testing::TestWithParam<int> {};

TEST_P(ProgramTest, IsWhatHalideMakesOfIt) {
  Totals totals;
  const uint64_t first = absl::GetFlag(FLAGS_seed);
  const uint64_t end = first + absl::GetFlag(FLAGS_pipelines);
  for (uint64_t seed = first + GetParam(); seed < end; seed += kParts)
    CheckPipeline(seed, totals);
  std::cout << totals.pairs << " pairs, " << totals.nested
            << " of them with three stages or more and one inside another, "
            << totals.slid << " with one that slides, " << totals.loops
            << " loops; " << totals.different << " differ; " << totals.dead
            << " with a stage that nothing depends on\n";
  EXPECT_GE(totals.pairs * kParts, absl::GetFlag(FLAGS_least_pairs));
  EXPECT_GE(totals.nested * kParts, absl::GetFlag(FLAGS_least_nested));
}

INSTANTIATE_TEST_SUITE_P(Parts, ProgramTest, testing::Range(0, kParts));

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
