#include "pruner/cost/random_cost_model.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

INSTANTIATE_TEST_SUITE_P(Random, CostModelConformanceTest,
                         testing::Values(CostModelUnderTest{
                             .name = "random", .make = [] {
                               return std::make_unique<RandomCostModel>(1);
                             }}));

TEST(RandomCostModelTest, SeedsAndProgramsDiffer) {
  FeatureRows programs = {.columns = 1};
  programs.Append({1});
  programs.Append({2});
  const std::vector<double> scores =
      RandomCostModel(1).Predict(programs).value();
  EXPECT_NE(scores[0], scores[1]);
  EXPECT_NE(scores, RandomCostModel(2).Predict(programs).value());
}

}  // namespace
}  // namespace pruner
