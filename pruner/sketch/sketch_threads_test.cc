#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/test_sketches.h"

namespace pruner {
namespace {

int NumBound(const StageState& stage, Annotation annotation) {
  int count = 0;
  for (const Iterator& iterator : stage.iterators)
    count += iterator.annotation == annotation;
  return count;
}

TEST(SketchThreadsTest, ThreadsShareWhatTheyReadAndAccumulateInRegisters) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const std::vector<Sketch> sketches = SketchesForThreads(dag);
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_EQ(sketches[0].derivation,
            "skip multi_level_tiling_with_fusion cache_read cache_read");
  const LoopState state = *ReplayStructure(dag, sketches[0].schedule);
  // A, A.shared, B, B.shared, C, out.
  ASSERT_EQ(state.dag->size(), 6);
  const StageState& product = state.stages[4];
  EXPECT_EQ(product.at_stage, 5);
  EXPECT_EQ(product.at_iterator, 0);
  EXPECT_EQ(product.storage, Storage::kRegister);
  EXPECT_EQ(NumBound(product, Annotation::kThread), 1);
  EXPECT_EQ(NumBound(product, Annotation::kVThread), 1);
  EXPECT_EQ(NumBound(state.stages[5], Annotation::kBlock), 1);
  // What is stored is stored in vectors, not so what is summed up.
  EXPECT_EQ(NumBound(product, Annotation::kVectorize), 0);
  EXPECT_EQ(NumBound(state.stages[5], Annotation::kVectorize), 1);
  EXPECT_EQ(state.stages[5].iterators.back().annotation,
            Annotation::kVectorize);
  for (const int copy : {1, 3}) {
    const StageState& stage = state.stages[copy];
    EXPECT_EQ(stage.storage, Storage::kShared);
    EXPECT_EQ(stage.at_stage, 4);
    // Inside a reduction loop, outside of the threads'.
    const std::vector<Iterator>& loops = product.iterators;
    EXPECT_EQ(loops[stage.at_iterator].kind, AxisKind::kReduction);
    EXPECT_EQ(loops[stage.at_iterator + 1].annotation, Annotation::kThread);
    EXPECT_EQ(NumBound(stage, Annotation::kThread), 1);
    EXPECT_EQ(NumBound(stage, Annotation::kVectorize), 1);
  }
}

TEST(SketchThreadsTest, PaddingIsComputedWhileItIsShared) {
  const ComputeDag dag = ConvBiasReluDag({});
  const std::vector<Sketch> sketches = SketchesForThreads(dag);
  ASSERT_EQ(sketches.size(), 1u);
  const LoopState state = *ReplayStructure(dag, sketches[0].schedule);
  for (int i = 0; i < state.dag->size(); ++i) {
    if (state.dag->stage(i).name == "pad") {
      EXPECT_EQ(state.stages[i].location, ComputeLocation::kInlined);
      EXPECT_EQ(state.dag->stage(state.dag->consumers(i)[0]).name,
                "pad.shared");
    }
  }
}

// Vectors are inside the reduction, and of the innermost axis alone.
TEST(SketchThreadsTest, WhatNoRuleTilesHasThreadsAndVectors) {
  const ComputeDag dag = MaxPoolDag(113, 64);
  const std::vector<Sketch> sketches = SketchesForThreads(dag);
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_EQ(Structure(dag, sketches[0]),
            "block (y@x@c.0).0 (?)\n"
            "  thread (y@x@c.0).1 (?)\n"
            "    for ry (3)\n"
            "      for rx (3)\n"
            "        vectorize c.1 (?)\n"
            "          pool = …\n"
            "block (y@x@c.0).0 (?)\n"
            "  thread (y@x@c.0).1 (?)\n"
            "    vectorize c.1 (?)\n"
            "      out = …\n");
}

// Each window would evaluate it anew.
TEST(SketchThreadsTest, ThreadsInlineNoTranscendentalIntoAReduction) {
  std::vector<Stage> stages = MaxPoolDag(113, 64).stages();
  Stage dear = stages.back();
  dear.name = "dear";
  dear.is_output = false;
  dear.shape = stages[0].shape;
  for (size_t d = 0; d < dear.shape.size(); ++d)
    dear.axes[d].extent = dear.shape[d];
  dear.ops.float_math = 1;
  dear.reads[0].stage = 0;
  stages.insert(stages.begin() + 1, dear);
  for (size_t i = 2; i < stages.size(); ++i) {
    for (Access& read : stages[i].reads) ++read.stage;
  }
  const ComputeDag dag = *ComputeDag::Create(stages);
  for (const Sketch& sketch : SketchesForThreads(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    EXPECT_EQ(state.stages[1].location, ComputeLocation::kRoot);
    EXPECT_EQ(NumBound(state.stages[1], Annotation::kThread), 1);
  }
}

// Else the output would read products of all windows.
TEST(SketchThreadsTest, ThreadsDoNotInlineALongChainOfStencils) {
  const ComputeDag dag = StencilsDag(8, 64);
  for (const Sketch& sketch : SketchesForThreads(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    int inlined = 0;
    for (const StageState& stage : state.stages)
      inlined += stage.location == ComputeLocation::kInlined;
    EXPECT_GE(inlined, 4);
    EXPECT_LE(inlined, 6);
  }
}

TEST(SketchThreadsTest, OddRowsHaveNoVectors) {
  const ComputeDag dag = MaxPoolDag(113, 63);
  const LoopState state =
      *ReplayStructure(dag, SketchesForThreads(dag)[0].schedule);
  EXPECT_EQ(NumBound(state.stages[1], Annotation::kThread), 1);
  EXPECT_EQ(NumBound(state.stages[1], Annotation::kVectorize), 0);
}

TEST(SketchThreadsTest, ThreadsOfABlockReduceTogether) {
  const ComputeDag dag = MatmulReluDag(1, 2, 512);
  const std::vector<Sketch> sketches = SketchesForThreads(dag);
  ASSERT_EQ(sketches.size(), 2u);
  EXPECT_EQ(sketches[0].derivation, "skip cross_thread_reduction");
  const LoopState state = *ReplayStructure(dag, sketches[0].schedule);
  EXPECT_EQ(state.dag->stage(2).name, "C.rf");
  EXPECT_EQ(state.stages[2].storage, Storage::kShared);
  EXPECT_EQ(NumBound(state.stages[2], Annotation::kThread), 1);
  EXPECT_EQ(state.stages[2].at_stage, 3);
  EXPECT_EQ(NumBound(state.stages[3], Annotation::kBlock), 1);
}

}  // namespace
}  // namespace pruner
