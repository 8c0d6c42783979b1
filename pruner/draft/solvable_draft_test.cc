#include "pruner/draft/solvable_draft.h"

#include <memory>

#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

INSTANTIATE_TEST_SUITE_P(SolvableDraft, DraftModelConformanceTest,
                         testing::Values(DraftModelUnderTest{
                             "solvable_draft", [] {
                               return std::make_unique<SolvableDraft>(
                                   std::make_unique<CpuPsa>());
                             }}));

// An image, each half as long as the one before, the first of which are all
// computed in rows of the last.
struct Pyramid {
  explicit Pyramid(int levels) {
    std::vector<Stage> stages(1);
    stages[0].name = "input";
    stages[0].kind = StageKind::kPlaceholder;
    stages[0].shape = {64, 64};
    for (int i = 1; i <= levels; ++i) {
      Stage stage;
      stage.name = "level" + std::to_string(i);
      stage.shape = {64, 64};
      stage.axes = {{.name = "y", .extent = 64}, {.name = "x", .extent = 64}};
      stage.reads = {{.stage = i - 1,
                      .indices = {{.terms = {{.axis = 0}}, .divisor = 2},
                                  {.terms = {{.axis = 1}}, .divisor = 2}}}};
      stages.push_back(stage);
    }
    stages.back().is_output = true;
    dag = std::make_unique<ComputeDag>(*ComputeDag::Create(stages));
    Schedule schedule;
    for (int i = 1; i < levels; ++i) {
      schedule.steps.push_back(ComputeAtStep{
          .stage = i, .target_stage = levels, .target_iterator = 0});
    }
    program = *Resolve(*dag, schedule, SampleCpuTarget());
  }

  std::unique_ptr<ComputeDag> dag;
  Program program;
};

TEST(SolvableDraftTest, ScoresFallWithTheStagesBeyondTheLimit) {
  const Pyramid pyramid(7);
  const CpuPsa plain;
  const SolvableDraft model(std::make_unique<CpuPsa>());
  TargetSpec target = SampleCpuTarget();
  const double score = plain.Score(pyramid.program, target);
  EXPECT_EQ(model.Score(pyramid.program, target), score);
  for (const int limit : {6, 7}) {
    target.limits.unsized_stages = limit;
    EXPECT_EQ(model.Score(pyramid.program, target), score) << limit;
  }
  target.limits.unsized_stages = 3;
  EXPECT_DOUBLE_EQ(model.Score(pyramid.program, target), score / 2);
}

}  // namespace
}  // namespace pruner
