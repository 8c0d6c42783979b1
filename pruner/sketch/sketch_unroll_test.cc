#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/test_sketches.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::UnorderedElementsAre;

// rows[i:4,x:64] and tile[p:16,x:64] of a small matrix' transforms, both
// chosen between constants, then a copy.
ComputeDag TransformDag() {
  const auto index = [](int axis) {
    return IndexExpr{.terms = {{.axis = axis}}};
  };
  std::vector<Stage> stages(4);
  const std::vector<std::string> names = {"in", "rows", "tile", "out"};
  const std::vector<int64_t> extents = {4, 4, 16, 16};
  for (int i = 0; i < 4; ++i) {
    stages[i].name = names[i];
    stages[i].shape = {extents[i], 64};
    if (i == 0) continue;
    stages[i].axes = {{.name = "p", .extent = extents[i], .selects = i < 3},
                      {.name = "x", .extent = 64}};
  }
  stages[0].kind = StageKind::kPlaceholder;
  for (int64_t k = 0; k < 4; ++k) {
    stages[1].reads.push_back(
        {.stage = 0,
         .indices = {IndexExpr{.terms = {}, .constant = k}, index(1)}});
  }
  IndexExpr column = index(0);
  column.modulus = 4;
  stages[2].reads = {{.stage = 1, .indices = {column, index(1)}}};
  stages[3].reads = {{.stage = 2, .indices = {index(0), index(1)}}};
  stages[3].is_output = true;
  return *ComputeDag::Create(stages);
}

TEST(SketchUnrollTest, LoopsThatChooseConstantsAreUnrolledAroundVectors) {
  const ComputeDag dag = TransformDag();
  const Sketch sketch = Sketches(dag).back();
  EXPECT_EQ(sketch.derivation, "vector_tile unroll_constants unroll_constants");
  const LoopState state = *ReplayStructure(dag, sketch.schedule);
  const std::vector<Iterator>& loops = state.stages[2].iterators;
  ASSERT_EQ(loops.size(), 3u);
  EXPECT_EQ(IteratorName(dag.stage(2), loops[1]), "p");
  EXPECT_EQ(loops[1].annotation, Annotation::kUnroll);
  EXPECT_EQ(loops[2].extent, SampleCpuTarget().units.simd_lanes);
}

TEST(SketchUnrollTest, ThreadsComputeOnceWhatUnrolledConstantsNeed) {
  const ComputeDag dag = TransformDag();
  const std::vector<Sketch> sketches = SketchesForThreads(dag);
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_EQ(sketches[0].derivation, "skip unroll_constants special_location");
  const LoopState state = *ReplayStructure(dag, sketches[0].schedule);
  EXPECT_EQ(state.stages[1].at_stage, 2);
  EXPECT_EQ(state.stages[1].at_iterator, 1);
  EXPECT_EQ(state.stages[1].storage, Storage::kRegister);
  EXPECT_EQ(state.stages[2].iterators[1].annotation, Annotation::kThread);
}

TEST(SketchUnrollTest, ChannelsThatShareWhatTheyReadMayBeUnrolled) {
  std::vector<Stage> stages = ChannelsDag(3, 64).stages();
  stages[2].ops = {.float_div = 4};  // too dear to be inlined
  const ComputeDag dag = *ComputeDag::Create(stages);
  std::vector<std::string> derivations;
  for (const Sketch& sketch : Sketches(dag)) {
    derivations.push_back(sketch.derivation);
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    const auto is_unrolled = [&](int stage, size_t loop) {
      const std::vector<Iterator>& loops = state.stages[stage].iterators;
      if (loop >= loops.size()) return false;
      const Iterator& iterator = loops[loop];
      return IteratorName(dag.stage(stage), iterator) == "c" &&
             iterator.annotation == Annotation::kUnroll;
    };
    EXPECT_EQ(absl::StrContains(sketch.derivation, "unroll_shared"),
              is_unrolled(2, 2));
    // y.0 x.0 y.1 x.1 c y.2 x.2
    EXPECT_EQ(absl::StrContains(sketch.derivation, "stencil_chain:1"),
              is_unrolled(3, 4));
  }
  EXPECT_THAT(derivations,
              UnorderedElementsAre(
                  "stencil_chain unroll_shared", "stencil_chain skip",
                  "stencil_chain:1 unroll_shared", "stencil_chain:1 skip",
                  "vector_tile unroll_shared", "vector_tile skip"));
}

// Sums of rows, as written, of what takes three operations or one.
TEST(SketchUnrollTest, WhatScalarsReadIsNotInlinedUnlessItIsCheap) {
  const auto derivation = [](int64_t operations) {
    std::vector<Stage> stages = ChannelsDag(3, 64).stages();
    stages[2].ops = {.float_mul = operations};
    stages[3].opaque = true;
    const ComputeDag dag = *ComputeDag::Create(stages);
    return Sketches(dag).front().derivation;
  };
  EXPECT_EQ(derivation(3), "unroll_shared");
  EXPECT_EQ(derivation(1), "always_inline");
}

}  // namespace
}  // namespace pruner
