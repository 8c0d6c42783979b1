#include "pruner/pacm/program_tensors.h"

#include "gtest/gtest.h"
#include "pruner/features/feature_rows.h"
#include "torch/types.h"

namespace pruner {
namespace {

// Three programs, of one, two and one row.
FeatureRows Programs() {
  FeatureRows programs = {.columns = 2, .program_columns = 2};
  programs.Append({2, 10}, {1, 3});
  programs.Append({4, 20, 6, 30}, {5, 7});
  programs.Append({8, 40}, {9, 11});
  return programs;
}

const Normaliser kScales = {.rows = {.shifts = {0, 10}, .divisors = {2, 10}},
                            .blocks = {.shifts = {1, 0}, .divisors = {4, 2}},
                            .limit = 3};
const ColumnScales kPlain = {.shifts = {0, 0}, .divisors = {1, 1}};

constexpr NetworkShape kShape = {
    .row_columns = 2, .blocks = 2, .block_columns = 1};

TEST(ProgramTensorsTest, BatchesAreScaledAndInOrder) {
  const ProgramTensors tensors(kShape, kScales, Programs());
  EXPECT_EQ(tensors.size(), 3);
  const ProgramBatch batch = tensors.Batch({2, 1});
  EXPECT_EQ(batch.size, 2);
  EXPECT_TRUE(torch::equal(
      // The first program's first value is cut off.
      batch.rows, torch::tensor({{3.0f, 3.0f}, {2.0f, 1.0f}, {3.0f, 2.0f}})));
  EXPECT_TRUE(torch::equal(batch.program_of_row,
                           torch::tensor({0, 1, 1}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(
      batch.blocks, torch::tensor({2.0f, 3.0f, 1.0f, 3.0f}).view({2, 2, 1})));
}

TEST(ProgramTensorsTest, KeepACopy) {
  FeatureRows programs = Programs();
  const ProgramTensors tensors(kShape, {.rows = kPlain, .blocks = kPlain},
                               programs);
  programs.Clear();
  programs.Append({-1, -1}, {-1, -1});
  EXPECT_TRUE(
      torch::equal(tensors.Batch({0}).rows, torch::tensor({{2.0f, 10.0f}})));
}

TEST(ProgramTensorsTest, WhatIsNotReadIsNotThere) {
  const ProgramTensors rows({.row_columns = 2}, {.rows = kPlain}, Programs());
  EXPECT_TRUE(rows.Batch({1}).rows.defined());
  EXPECT_FALSE(rows.Batch({1}).blocks.defined());
  const ProgramTensors blocks({.blocks = 1, .block_columns = 2},
                              {.blocks = kPlain}, Programs());
  EXPECT_FALSE(blocks.Batch({1}).rows.defined());
  EXPECT_TRUE(blocks.Batch({1}).blocks.defined());
  EXPECT_EQ(blocks.Batch({1}).size, 1);
}

}  // namespace
}  // namespace pruner
