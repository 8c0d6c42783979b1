#include "pruner/draft/random_draft_model.h"

#include <memory>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

INSTANTIATE_TEST_SUITE_P(Random, DraftModelConformanceTest,
                         testing::Values(DraftModelUnderTest{
                             .name = "random", .make = [] {
                               return std::make_unique<RandomDraftModel>(1);
                             }}));

TEST(RandomDraftModelTest, SeedsDiffer) {
  const ComputeDag dag = MatmulReluDag(8, 8, 8);
  const TargetSpec target = SampleCpuTarget();
  const Program program = Resolve(dag, Schedule(), target).value();
  EXPECT_NE(RandomDraftModel(1).Score(program, target),
            RandomDraftModel(2).Score(program, target));
}

}  // namespace
}  // namespace pruner
