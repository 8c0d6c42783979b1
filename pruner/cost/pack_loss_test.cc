#include "pruner/cost/pack_loss.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

FeatureRows TwoPrograms() {
  FeatureRows programs = {.columns = 1};
  programs.Append({7});
  programs.Append({8, 9});
  return programs;
}

TEST(PackLossTest, RowsAddUp) {
  EXPECT_THAT(SumByProgram(TwoPrograms(), {0.5f, 0.25f, 0.5f}),
              ElementsAre(0.5, 0.75));
}

TEST(PackLossTest, ErrorsCountByProgram) {
  EXPECT_DOUBLE_EQ(PackRmse({0.5, 0.75}, {1.0f, 0.5f}),
                   std::sqrt((0.25 + 0.0625) / 2));
}

TEST(PackLossTest, EveryRowHasItsProgramsDerivatives) {
  RowDerivatives derivatives;
  PackDerivatives(TwoPrograms(), {0.5, 0.75}, {1.0f, 0.5f}, {}, derivatives);
  EXPECT_THAT(derivatives.gradients, ElementsAre(-0.5f, 0.125f, 0.125f));
  EXPECT_THAT(derivatives.hessians, ElementsAre(1, 0.5f, 0.5f));
  // Failed programs teach nothing (y = 0), as in TVM.
  PackDerivatives(TwoPrograms(), {0.5, 0.75}, {1.0f, 0.0f}, {}, derivatives);
  EXPECT_THAT(derivatives.gradients, ElementsAre(-0.5f, 0, 0));
  EXPECT_THAT(derivatives.hessians, ElementsAre(1, 0, 0));
}

TEST(PackLossTest, ManyRowsMaySlowDown) {
  RowDerivatives derivatives;
  PackDerivatives(TwoPrograms(), {0.5, 0.75}, {1.0f, 0.5f}, {.row_damping = 1},
                  derivatives);
  EXPECT_THAT(derivatives.gradients, ElementsAre(-0.5f, 0.125f, 0.125f));
  EXPECT_THAT(derivatives.hessians, ElementsAre(1, 1, 1));
}

TEST(PackLossTest, SlowProgramsMayCountMore) {
  RowDerivatives derivatives;
  PackDerivatives(TwoPrograms(), {0.5, 0.75}, {1.0f, 0.0f}, {.min_weight = 0.5},
                  derivatives);
  EXPECT_THAT(derivatives.gradients, ElementsAre(-0.5f, 0.375f, 0.375f));
  EXPECT_THAT(derivatives.hessians, ElementsAre(1, 0.5f, 0.5f));
}

TEST(PackLossTest, DerivativesAddUpExactly) {
  RowDerivatives derivatives;
  PackDerivatives(TwoPrograms(), {1.0 / 3, 1.0 / 7}, {0.9f, 0.1f}, {},
                  derivatives);
  for (const float value : derivatives.gradients) {
    const double scaled = std::ldexp(static_cast<double>(value), 20);
    EXPECT_EQ(scaled, std::nearbyint(scaled));
    EXPECT_NE(value, 0);
  }
}

}  // namespace
}  // namespace pruner
