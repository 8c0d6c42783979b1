#include "examples/strips_rule.h"

#include <memory>
#include <string>
#include <vector>

#include "examples/blur.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/base/clock.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "pruner/search/policy_table.h"
#include "pruner/sketch/user_rules.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"

namespace pruner {
namespace {

class StripsRuleTest : public testing::Test {
 protected:
  std::vector<Sketch> Sketches(const ComputeDag& dag) const {
    return GenerateSketches({.dag = dag, .target = target_}, rules_).value();
  }

  const TargetSpec target_ = SampleCpuTarget();
  const StripsRule strips_;
  const SketchRules rules_ = WithBuiltInRules({&strips_}, target_);
  const Halide::Pipeline pipeline_ = BlurPipeline(192, 108);
  const Workload workload_ = MakeWorkload("blur", pipeline_).value();
};

TEST_F(StripsRuleTest, TilesTheOutputAndComputesTheRowsInside) {
  const ComputeDag& dag = workload_.dag;
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_GE(sketches.size(), 3u);
  for (size_t i = 0; i < sketches.size(); ++i)
    EXPECT_EQ(sketches[i].derivation.starts_with("strips"), i < 2);
  EXPECT_EQ(ReplayStructure(dag, sketches[1].schedule)->ToString(),
            "for y.0 (?)\n"
            "  for x.0 (?)\n"
            "    for y (110)\n"
            "      for x (192)\n"
            "        rows = …\n"
            "    for y.1 (?)\n"
            "      for x.1 (?)\n"
            "        blurred = …\n");
}

TEST_F(StripsRuleTest, LeavesOtherTasksAlone) {
  for (const ComputeDag& dag :
       {ConvBiasReluDag({}), MatmulReluDag(64, 64, 64), MaxPoolDag(9, 64)}) {
    const SketchContext context = {.dag = dag, .target = target_};
    const std::vector<Sketch> built_in = GenerateSketches(context).value();
    const std::vector<Sketch> sketches = Sketches(dag);
    ASSERT_EQ(sketches.size(), built_in.size());
    for (size_t i = 0; i < sketches.size(); ++i)
      EXPECT_EQ(sketches[i].schedule, built_in[i].schedule);
  }
}

// Samples of the rule's sketches are compiled, and compute what they should.
TEST_F(StripsRuleTest, WhatComesOfItIsRight) {
  const SketchContext context = {.dag = workload_.dag, .target = target_};
  std::vector<Sketch> sketches = Sketches(workload_.dag);
  sketches.resize(2);  // what the rule gave
  ScheduleSampler sampler = *ScheduleSampler::Create(context, sketches);
  Rng rng(1);
  std::vector<Schedule> schedules;
  while (schedules.size() < 6) {
    const Draw draw = *sampler.Sample(rng);
    if (const auto* schedule = std::get_if<Schedule>(&draw))
      schedules.push_back(*schedule);
  }
  CheckSchedules(pipeline_, schedules);
}

TEST_F(StripsRuleTest, ReachesTheTuner) {
  const std::vector<TuningTask> tasks = {{.workload = workload_}};
  FakeMeasurer measurer;
  RoundRobinScheduler scheduler;
  FakeClock clock;
  const PolicyEntry& policy = **FindPolicy("mutate");
  const TuningTools tools = {
      .target = target_,
      .measurer = measurer,
      .scheduler = scheduler,
      .make_policy =
          [&](const TuningTask& task) {
            return policy.make(
                {.context = ContextOf(task, target_), .rules = rules_});
          },
      .clock = clock};
  const absl::StatusOr<TuningOutcome> outcome =
      Tune(tasks, {}, tools, {.trials = 64});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->tasks[0].problem, absl::OkStatus());
  EXPECT_EQ(outcome->trials, 64);
  // Whatever this measurer likes: more than the handful of schedules without
  // tiles, which the built-in rules have.
  EXPECT_FALSE(outcome->tasks[0].exhausted);
}

}  // namespace
}  // namespace pruner
