#include "pruner/features/feature_rows.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TEST(FeatureRowsTest, ProgramsKeepTheirRows) {
  FeatureRows programs = {.columns = 2};
  programs.Append({1, 2});
  programs.Append({3, 4, 5, 6});
  EXPECT_EQ(programs.num_programs(), 2);
  EXPECT_EQ(programs.num_rows(), 3);
  EXPECT_THAT(programs.ends, ElementsAre(1, 3));
  EXPECT_THAT(programs.rows(0), ElementsAre(1, 2));
  EXPECT_THAT(programs.rows(1), ElementsAre(3, 4, 5, 6));
  EXPECT_EQ(programs.begin(1), 1);
  EXPECT_EQ(programs.begin(2), 3);
}

TEST(FeatureRowsTest, ClearingKeepsMemoryAndColumns) {
  FeatureRows programs = {.columns = 3};
  programs.Append({1, 2, 3});
  const float* const memory = programs.values.data();
  programs.Clear();
  EXPECT_EQ(programs.num_programs(), 0);
  EXPECT_EQ(programs.num_rows(), 0);
  EXPECT_EQ(programs.begin(0), 0);
  programs.Append({4, 5, 6});
  EXPECT_EQ(programs.values.data(), memory);
  EXPECT_THAT(programs.rows(0), ElementsAre(4, 5, 6));
}

TEST(FeatureRowsTest, ProgramsKeepValuesOfTheirOwn) {
  FeatureRows programs = {.columns = 1, .program_columns = 2};
  programs.Append({1}, {10, 11});
  programs.Append({2, 3}, {20, 21});
  EXPECT_THAT(programs.program_row(0), ElementsAre(10, 11));
  EXPECT_THAT(programs.program_row(1), ElementsAre(20, 21));

  FeatureRows others = {.columns = 1, .program_columns = 2};
  others.AppendFrom(programs, 1);
  EXPECT_THAT(others.rows(0), ElementsAre(2, 3));
  EXPECT_THAT(others.program_row(0), ElementsAre(20, 21));
  EXPECT_EQ(programs.Slice(1, 2), others);
  EXPECT_EQ(programs.Slice(0, 2), programs);
  EXPECT_EQ(programs.Slice(1, 1).num_programs(), 0);

  programs.Clear();
  programs.Append({4}, {40, 41});
  EXPECT_THAT(programs.program_row(0), ElementsAre(40, 41));
}

TEST(FeatureRowsDeathTest, RowsAreWhole) {
  FeatureRows programs = {.columns = 2};
  EXPECT_DEATH(programs.Append({1, 2, 3}), "3 values are no rows of 2");
  EXPECT_DEATH(programs.Append({}), "no rows");
  EXPECT_DEATH(programs.Append({1, 2}, {3}), "a program's own values");
  programs.program_columns = 1;
  EXPECT_DEATH(programs.Append({1, 2}), "a program's own values");
}

}  // namespace
}  // namespace pruner
