#include "pruner/cost/varying_columns.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(VaryingColumnsTest, AreThoseInWhichRowsDiffer) {
  FeatureRows programs = {.columns = 4};
  EXPECT_THAT(VaryingColumns(programs), IsEmpty());
  programs.Append({1, 2, 3, 4});
  EXPECT_THAT(VaryingColumns(programs), IsEmpty());
  programs.Append({1, 2, 0, 4, 1, 5, 3, 4});
  EXPECT_THAT(VaryingColumns(programs), ElementsAre(1, 2));
}

TEST(VaryingColumnsTest, ArePickedRowByRow) {
  FeatureRows programs = {.columns = 3};
  programs.Append({1, 2, 3});
  programs.Append({4, 5, 6, 7, 8, 9});
  const FeatureRows picked = PickColumns(programs, {0, 2});
  EXPECT_EQ(picked.columns, 2);
  EXPECT_EQ(picked.num_programs(), 2);
  EXPECT_THAT(picked.rows(0), ElementsAre(1, 3));
  EXPECT_THAT(picked.rows(1), ElementsAre(4, 6, 7, 9));
}

}  // namespace
}  // namespace pruner
