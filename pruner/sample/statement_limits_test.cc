// How much code programs may have.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/code_size.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

TEST(StatementLimitsTest, ProgramsHaveNoMoreStatementsThanTheLimits) {
  const ComputeDag dag = ConvBiasReluDag({});
  const auto most = [&](int64_t of_program, int64_t per_stage) {
    TargetSpec target = SampleCpuTarget();
    target.limits.program_statements = of_program;
    target.limits.statements_per_stage = per_stage;
    const SketchContext context = {.dag = dag, .target = target};
    ScheduleSampler sampler =
        *ScheduleSampler::Create(context, *GenerateSketches(context));
    Rng rng(1);
    int64_t largest = 0;
    for (int i = 0; i < 300; ++i) {
      const Draw draw = *sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&draw);
      if (schedule == nullptr) continue;
      const Program program = *Resolve(dag, *schedule, target);
      largest = std::max(largest, CountStatements(program));
    }
    return largest;
  };
  EXPECT_GT(most(0, 0), 40);
  EXPECT_GT(most(40, 0), 10);
  EXPECT_LE(most(40, 0), 40);
  // Of the convolution, what pads its input, and what follows it.
  EXPECT_LE(most(0, 12), 4 * 12);
  EXPECT_GT(most(0, 12), 12);
}

}  // namespace
}  // namespace pruner
