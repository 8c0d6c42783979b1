#include "halide_ext/tests/halide_passes.h"

#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "Halide.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/fuzz_subject.h"
#include "halide_ext/tests/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// Without the numbers that Halide puts behind names it has made before.
std::string Plain(const std::string& text) {
  return std::regex_replace(std::string(absl::StripAsciiWhitespace(text)),
                            std::regex("\\$[0-9]+|(_|\\bt)[0-9]+\\b"), "");
}

// What Halide has when it begins to unroll, out of all that it tells under
// HL_DEBUG_CODEGEN=2, which is set in BUILD: the last statement that a pass
// changed before. Each pass is announced with three dots; then either comes
// "Lowering after …: (unchanged)", or that without the last word and the
// statement.
std::string BeforeUnrolling(const std::string& log) {
  std::string statement;
  bool in_statement = false;
  for (const absl::string_view line : absl::StrSplit(log, '\n')) {
    if (line == "Unrolling...") break;
    const bool after = absl::StartsWith(line, "Lowering after ");
    if (after || absl::EndsWith(line, "...")) in_statement = false;
    if (in_statement) absl::StrAppend(&statement, line, "\n");
    if (!after || absl::EndsWith(line, "(unchanged)")) continue;
    in_statement = true;
    statement.clear();
  }
  return statement;
}

void ExpectTheSame(const WorkloadPipeline& pipeline, const Schedule& schedule,
                   const TargetSpec& target) {
  const absl::StatusOr<Halide::Pipeline> scheduled =
      pipeline.Scheduled(schedule, target);
  ASSERT_TRUE(scheduled.ok()) << scheduled.status();
  testing::internal::CaptureStderr();
  const absl::StatusOr<CompiledModule> module =
      pipeline.CompileToModule(schedule, target);
  const std::string log = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(module.ok()) << module.status();
  testing::internal::CaptureStderr();
  std::ostringstream text;
  text << LowerUntilUnrolling(*scheduled, pipeline.HalideTarget(target)).body;
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(Plain(BeforeUnrolling(log)), Plain(text.str()))
      << PrintSchedule(schedule);
}

TEST(HalidePassesTest, SampleSchedulesAreLoweredAsHalideDoes) {
  for (const SampleSchedule& sample : SampleSchedules()) {
    const absl::StatusOr<Workload> workload =
        MakeWorkload("sample", sample.make());
    ASSERT_TRUE(workload.ok()) << workload.status();
    ExpectTheSame(*WorkloadPipeline::Load(workload->pipeline), sample.schedule,
                  SampleCpuTarget());
  }
}

TEST(HalidePassesTest, RandomSchedulesAreLoweredAsHalideDoes) {
  for (const Backend backend : {Backend::kHost, Backend::kOpenCl}) {
    const FuzzMode mode = {.backend = backend};
    for (int seed = 1; seed <= 12; ++seed) {
      std::string text;
      absl::StatusOr<FuzzSubject> subject =
          FuzzSubject::Create(seed, mode, text);
      ASSERT_TRUE(subject.ok()) << subject.status();
      const absl::StatusOr<WorkloadPipeline> pipeline =
          WorkloadPipeline::Load(subject->workload().pipeline);
      ASSERT_TRUE(pipeline.ok()) << pipeline.status();
      for (int which = 0; which < 3; ++which) {
        const absl::StatusOr<std::optional<Schedule>> schedule =
            subject->Draw(which);
        ASSERT_TRUE(schedule.ok()) << schedule.status();
        if (schedule->has_value())
          ExpectTheSame(*pipeline, **schedule, FuzzTarget(mode));
      }
    }
  }
}

}  // namespace
}  // namespace pruner
