#include "pruner/program/folded_reads.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

Stage Compute(const char* name, int64_t extent) {
  Stage stage;
  stage.name = name;
  stage.shape = {extent};
  stage.axes = {{.name = "x", .extent = extent}};
  stage.ops = {.float_add = 2};
  return stage;
}

IndexExpr At(int64_t constant, int64_t coefficient = 1) {
  return {.terms = {{.axis = 0, .coefficient = coefficient}},
          .constant = constant};
}

// Each stage the sum of three neighbours of the one before.
ComputeDag ChainDag(int stages) {
  constexpr int64_t kExtent = 64;
  Stage input;
  input.name = "in";
  input.kind = StageKind::kPlaceholder;
  input.shape = {kExtent + 2 * stages};
  std::vector<Stage> all = {input};
  for (int i = 1; i <= stages; ++i) {
    Stage stage =
        Compute(absl::StrCat("f", i).c_str(), kExtent + 2 * (stages - i));
    for (int64_t d = 0; d < 3; ++d)
      stage.reads.push_back({.stage = i - 1, .indices = {At(d)}});
    stage.is_output = i == stages;
    all.push_back(stage);
  }
  return *ComputeDag::Create(all);
}

std::vector<FoldedReads> ReadsOf(const LoopState& state) {
  return FoldReads(*state.dag, [&](int stage) {
    return state.stages[stage].location == ComputeLocation::kInlined;
  });
}

TEST(FoldedReadsTest, NeighboursAreOneRead) {
  const ComputeDag dag = ChainDag(1);
  const std::vector<FoldedReads> folded = ReadsOf(NaiveState(dag));
  ASSERT_EQ(folded[1].reads.size(), 1u);
  const FoldedRead& read = folded[1].reads[0];
  EXPECT_EQ(read.count, 3);
  EXPECT_EQ(read.indices[0], At(0));
  EXPECT_EQ(read.spread, std::vector<int64_t>{2});
  EXPECT_EQ(folded[1].ops, (OpCounts{.float_add = 2}));
}

TEST(FoldedReadsTest, WhatIsInlinedIsReadAndComputedInItsPlace) {
  const ComputeDag dag = ChainDag(2);
  const Schedule schedule = *ParseSchedule("compute_inline stage=1\n");
  const LoopState state = *Replay(dag, schedule);
  const FoldedReads folded = ReadsOf(state)[2];
  ASSERT_EQ(folded.reads.size(), 1u);
  EXPECT_EQ(folded.reads[0].stage, 0);
  EXPECT_EQ(folded.reads[0].count, 9);
  EXPECT_EQ(folded.reads[0].indices[0], At(0));
  EXPECT_EQ(folded.reads[0].spread, std::vector<int64_t>{4});
  EXPECT_EQ(folded.ops, (OpCounts{.float_add = 2 + 3 * 2}));
}

// 3^40 reads are counted, not listed.
TEST(FoldedReadsTest, ChainsOfManyStagesAreFoldedAtOnce) {
  const ComputeDag dag = ChainDag(40);
  Schedule schedule;
  for (int i = 1; i < 40; ++i)
    schedule.steps.emplace_back(ComputeInlineStep{.stage = i});
  const FoldedReads folded = ReadsOf(*ReplayStructure(dag, schedule))[40];
  ASSERT_EQ(folded.reads.size(), 1u);
  EXPECT_EQ(folded.reads[0].spread, std::vector<int64_t>{80});
  EXPECT_GE(folded.reads[0].count, int64_t{1} << 39);
}

TEST(FoldedReadsTest, IndicesAreComposed) {
  Stage input;
  input.name = "in";
  input.kind = StageKind::kPlaceholder;
  input.shape = {256};
  Stage f = Compute("f", 100);
  f.reads = {{.stage = 0, .indices = {At(5, 2)}}};
  Stage g = Compute("g", 30);
  g.reads = {{.stage = 1, .indices = {At(-1, 3)}}};
  g.reads[0].indices[0].constant = 1;
  Stage h = Compute("h", 30);
  h.reads = {{.stage = 2, .indices = {At(0)}}};
  h.reads[0].indices[0].modulus = 8;
  h.is_output = true;
  const ComputeDag dag = *ComputeDag::Create({input, f, g, h});
  const LoopState state = *ReplayStructure(
      dag, *ParseSchedule("compute_inline stage=1\ncompute_inline stage=2\n"));
  const std::vector<FoldedReads> folded = ReadsOf(state);
  EXPECT_EQ(folded[2].reads[0].indices[0], At(7, 6));
  // A modulus inside another index is nothing that is known.
  EXPECT_TRUE(folded[3].reads[0].is_opaque);
}

}  // namespace
}  // namespace pruner
