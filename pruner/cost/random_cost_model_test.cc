#include "pruner/cost/random_cost_model.h"

#include <memory>

#include "gtest/gtest.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

INSTANTIATE_TEST_SUITE_P(Random, CostModelConformanceTest,
                         testing::Values(CostModelUnderTest{
                             .name = "random", .make = [] {
                               return std::make_unique<RandomCostModel>(1);
                             }}));

TEST(RandomCostModelTest, SeedsDiffer) {
  const ComputeDag dag = MatmulReluDag(8, 8, 8);
  const LoopState state = NaiveState(dag);
  EXPECT_NE(RandomCostModel(1).Predict({state}).value(),
            RandomCostModel(2).Predict({state}).value());
}

}  // namespace
}  // namespace pruner
