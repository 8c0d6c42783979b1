#include "pruner/program/unsized_stages.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/program.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

// A stage of as many elements that reads another one at each index.
Stage Reader(const std::string& name, int producer,
             const std::vector<IndexExpr>& indices) {
  Stage stage;
  stage.name = name;
  stage.shape = {64};
  stage.axes = {{.name = "x", .extent = 64}};
  for (const IndexExpr& index : indices)
    stage.reads.push_back({.stage = producer, .indices = {index}});
  return stage;
}

IndexExpr At(int64_t constant) {
  return {.terms = {{.axis = 0}}, .constant = constant};
}
IndexExpr Half() { return {.terms = {{.axis = 0}}, .divisor = 2}; }
IndexExpr Clamped() { return {.terms = {{.axis = 0}}, .clamped = true}; }

// An input, and what reads it, one after the other; the last is at the root,
// and all others in its loop.
struct Nest {
  explicit Nest(const std::vector<std::vector<IndexExpr>>& readers)
      : dag(*ComputeDag::Create(StagesOf(readers))) {
    program.task = program.dag = &dag;
    program.stages.resize(dag.size());
    program.stages[0].is_absent = true;
    for (int i = 1; i + 1 < dag.size(); ++i)
      program.stages[i].at_stage = dag.size() - 1;
  }
  static std::vector<Stage> StagesOf(
      const std::vector<std::vector<IndexExpr>>& readers) {
    std::vector<Stage> stages(1);
    stages[0].name = "input";
    stages[0].kind = StageKind::kPlaceholder;
    stages[0].shape = {64};
    for (const auto& indices : readers) {
      const int producer = static_cast<int>(stages.size()) - 1;
      stages.push_back(
          Reader("stage" + std::to_string(producer), producer, indices));
    }
    stages.back().is_output = true;
    return stages;
  }

  ComputeDag dag;
  Program program;
};

TEST(UnsizedStagesTest, StencilsHaveSizes) {
  const Nest nest({{At(0)}, {At(-1), At(1)}, {At(-1), At(0), At(1)}});
  EXPECT_EQ(MostUnsizedStages(nest.program), 0);
}

// What reads the input has a size, whatever it reads of it.
TEST(UnsizedStagesTest, WhatIsReadByHalvesAndAllBeforeItHasNone) {
  const Nest nest({{Clamped()}, {At(-1), At(1)}, {Half()}, {At(0), At(1)}});
  EXPECT_THAT(AreUnsized(nest.program),
              ElementsAre(false, true, true, false, false));
  EXPECT_EQ(MostUnsizedStages(nest.program), 2);
}

TEST(UnsizedStagesTest, WhatIsInlinedPassesItOn) {
  Nest nest({{At(0)}, {At(0)}, {Clamped()}, {At(0)}});
  nest.program.stages[3].is_absent = true;
  EXPECT_THAT(AreUnsized(nest.program),
              ElementsAre(false, true, true, false, false));
  // At the root it is computed whole.
  nest.program.stages[2].at_stage = -1;
  EXPECT_EQ(MostUnsizedStages(nest.program), 0);
}

TEST(UnsizedStagesTest, EachRootCountsForItself) {
  Nest nest({{At(0)}, {Half()}, {At(0)}, {Half()}, {At(0)}, {Half()}});
  EXPECT_EQ(MostUnsizedStages(nest.program), 5);
  nest.program.stages[4].at_stage = -1;
  nest.program.stages[1].at_stage = 2;
  nest.program.stages[2].at_stage = 3;
  nest.program.stages[3].at_stage = 4;
  EXPECT_THAT(AreUnsized(nest.program),
              ElementsAre(false, true, true, true, false, true, false));
  EXPECT_EQ(MostUnsizedStages(nest.program), 3);
}

}  // namespace
}  // namespace pruner
