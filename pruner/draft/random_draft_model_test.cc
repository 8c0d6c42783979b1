#include "pruner/draft/random_draft_model.h"

#include <memory>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/schedule/replay.h"
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
  const LoopState state = NaiveState(dag);
  const TargetSpec target = SampleCpuTarget();
  EXPECT_NE(RandomDraftModel(1).Score(state, target),
            RandomDraftModel(2).Score(state, target));
}

}  // namespace
}  // namespace pruner
