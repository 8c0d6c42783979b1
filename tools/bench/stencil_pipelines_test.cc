#include "tools/bench/stencil_pipelines.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/tensor_values.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

class StencilPipelinesTest : public testing::TestWithParam<StencilCase> {};

// Sums of fractions: compared up to rounding.
TEST_P(StencilPipelinesTest, RandomSchedulesAreRight) {
  const auto workload = MakeWorkload(GetParam().name, GetParam().make());
  ASSERT_TRUE(workload.ok()) << workload.status();
  const std::string& as_written = GetParam().as_written;
  ASSERT_EQ(workload->notes.size(), as_written.empty() ? 0u : 1u);
  if (!as_written.empty()) {
    EXPECT_TRUE(absl::StrContains(workload->notes[0],
                                  absl::StrCat("'", as_written, "'")))
        << workload->notes[0];
  }
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload->pipeline);
  const std::vector<float> expected =
      *RunChecked(pipeline, *pipeline.CompileReference());
  const TargetSpec target = CheckedTarget();
  const SketchContext context = {.dag = workload->dag, .target = target};
  const std::vector<Sketch> sketches = *GenerateSketches(context);
  EXPECT_TRUE(sketches[0].derivation.starts_with("stencil_chain "))
      << sketches[0].derivation;
  Rng rng(1);
  for (const Sketch& sketch : sketches) {
    ScheduleSampler sampler = *ScheduleSampler::Create(context, {sketch});
    int samples = 0;
    for (int draws = 0; samples < 4 && draws < 200; ++draws) {
      const auto draw = *sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&draw);
      if (schedule == nullptr) continue;
      ++samples;
      SCOPED_TRACE(PrintSchedule(*schedule));
      const auto kernel = pipeline.Compile(*schedule, target);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      const auto actual = RunChecked(pipeline, *kernel);
      ASSERT_TRUE(actual.ok()) << actual.status();
      EXPECT_LE(RelativeError(*actual, expected), 1e-4);
    }
    EXPECT_EQ(samples, 4) << sketch.derivation;
  }
}

INSTANTIATE_TEST_SUITE_P(All, StencilPipelinesTest,
                         testing::ValuesIn(StencilCases(128, 64)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
