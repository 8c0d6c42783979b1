#include "pruner/sketch/sketch_generator.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/test_sketches.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SketchGeneratorTest, MatmulFusesAtTwoLevelsOrNot) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation, "skip multi_level_tiling_with_fusion");
  EXPECT_EQ(Structure(dag, sketches[1]),
            "for i.0 (?)\n"
            "  for j.0 (?)\n"
            "    for i.1 (?)\n"
            "      for j.1 (?)\n"
            "        for i.0 (?)\n"
            "          for j.0 (?)\n"
            "            for i.1 (?)\n"
            "              for j.1 (?)\n"
            "                for k.0 (?)\n"
            "                  for i.2 (?)\n"
            "                    for j.2 (?)\n"
            "                      for k.1 (?)\n"
            "                        for i.3 (?)\n"
            "                          for j.3 (?)\n"
            "                            C = …\n"
            "        for i.2 (?)\n"
            "          for j.2 (?)\n"
            "            out = …\n");
  EXPECT_EQ(sketches[2].derivation, "skip multi_level_tiling");
}

TEST(SketchGeneratorTest, TransposedFactorsMayBePacked) {
  const ComputeDag dag = TransposedMatmulReluDag(64, 64, 64);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 6u);
  int packed = 0;
  for (const Sketch& sketch : sketches) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    if (!sketch.derivation.ends_with(" pack")) {
      EXPECT_EQ(state.dag->size(), 4) << sketch.derivation;
      continue;
    }
    ++packed;
    ASSERT_EQ(state.dag->size(), 5);
    const StageState& copy = state.stages[2];
    EXPECT_EQ(state.dag->producers(3), (std::vector<int>{0, 2}));
    EXPECT_EQ(copy.storage_order, (std::vector<int64_t>{1, 0}));
    // In squares of a vector and a cache line; where, the sampler draws.
    EXPECT_FALSE(copy.is_placed);
    ASSERT_EQ(copy.iterators.size(), 4u);
    for (const int loop : {0, 2})
      EXPECT_EQ(copy.iterators[loop].parts[0].axis, 1) << loop;
    for (const int loop : {2, 3})
      EXPECT_EQ(copy.iterators[loop].extent, 16) << loop;
  }
  EXPECT_EQ(packed, 3);
}

TEST(SketchGeneratorTest, NothingIsPackedInVain) {
  // Vectors are whole, or no element is read often.
  for (const ComputeDag& dag :
       {MatmulReluDag(512, 1024, 1024), TransposedMatmulReluDag(8, 64, 64)}) {
    EXPECT_EQ(Sketches(dag).size(), 3u) << dag.ToString();
  }
  // Weights that are packed already.
  EXPECT_EQ(Sketches(ConvBiasReluDag({})).size(), 3u);
  for (const Sketch& sketch :
       SketchesForThreads(TransposedMatmulReluDag(64, 64, 64)))
    EXPECT_EQ(sketch.derivation.find("pack"), std::string::npos);
}

// What is inlined there is computed while it is packed.
TEST(SketchGeneratorTest, CheapStagesAreComputedIntoThePackedCopy) {
  std::vector<Stage> stages = TransposedMatmulReluDag(64, 64, 64).stages();
  Stage scaled = stages[3];
  scaled.name = "scaled";
  scaled.is_output = false;
  scaled.axes[1].name = "k";
  scaled.reads[0].stage = 1;
  stages.insert(stages.begin() + 2, scaled);
  stages[3].reads[1].stage = 2;
  stages[4].reads[0].stage = 3;
  const ComputeDag dag = *ComputeDag::Create(stages);
  int packed = 0;
  for (const Sketch& sketch : Sketches(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    if (state.dag->size() == dag.size()) continue;
    ++packed;
    EXPECT_EQ(state.stages[2].location, ComputeLocation::kInlined);
    EXPECT_EQ(state.dag->stage(3).name, "scaled.shared");
    EXPECT_EQ(state.stages[3].storage_order, (std::vector<int64_t>{1, 0}));
  }
  EXPECT_EQ(packed, 3);
}

TEST(SketchGeneratorTest, AxesOfExtentOneAreNotSplit) {
  const ComputeDag dag = ConvBiasReluDag({.kernel = 1});
  for (const Sketch& sketch : Sketches(dag)) {
    for (const TransformStep& step : sketch.schedule.steps) {
      if (const auto* split = std::get_if<SplitStep>(&step)) {
        EXPECT_NE(split->iterator, 0);  // the batch
      }
    }
  }
}

TEST(SketchGeneratorTest, PaddingIsLeftForTheSamplerToPlace) {
  for (const Sketch& sketch : Sketches(ConvBiasReluDag({}))) {
    EXPECT_TRUE(sketch.derivation.ends_with(" skip")) << sketch.derivation;
  }
}

TEST(SketchGeneratorTest, PoolingIsCutIntoVectorTiles) {
  const ComputeDag dag = MaxPoolDag(9, 64);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_EQ(sketches[0].derivation, "vector_tile skip");
  EXPECT_EQ(Sketches(MaxPoolDag(9, 8))[0].derivation, "skip skip");
}

// Two parameters per channel, as a scale and a shift, are read again for every
// row.
TEST(SketchGeneratorTest, EpiloguesAreNotTiledByThemselves) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  Stage out = stages.back();
  stages.pop_back();
  for (const char* name : {"scale", "shift"}) {
    Stage parameter = stages[0];
    parameter.name = name;
    parameter.shape = {64};
    out.reads.push_back({.stage = static_cast<int>(stages.size()),
                         .indices = {{.terms = {{.axis = 1}}}}});
    stages.push_back(parameter);
  }
  stages.push_back(out);
  const std::vector<Sketch> sketches = Sketches(*ComputeDag::Create(stages));
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation, "skip multi_level_tiling_with_fusion");
  EXPECT_EQ(sketches[2].derivation, "skip multi_level_tiling");
}

TEST(SketchGeneratorTest, CheapStagesAreInlined) {
  std::vector<Stage> stages = MatmulReluDag(8, 8, 8).stages();
  stages[3].is_output = false;
  Stage last = stages[3];
  last.name = "last";
  last.reads[0].stage = 3;
  last.is_output = true;
  stages.push_back(last);
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation,
            "skip always_inline multi_level_tiling_with_fusion");
  EXPECT_EQ(sketches[2].derivation, "skip always_inline multi_level_tiling");
  // The tiles are those of the stage that reads the inlined one.
  EXPECT_EQ(ReplayStructure(dag, sketches[0].schedule)->stages[2].at_stage, 4);
}

// rows = 3 columns of the input, out = 3 rows of that.
TEST(SketchGeneratorTest, ChainsOfStencilsAreTiledAndPlacedBySamplers) {
  const auto window = [](int source, int axis) {
    std::vector<Access> reads;
    for (int64_t offset : {0, 1, 2}) {
      Access access = {
          .stage = source,
          .indices = {{.terms = {{.axis = 0}}}, {.terms = {{.axis = 1}}}}};
      access.indices[axis].constant = offset;
      reads.push_back(access);
    }
    return reads;
  };
  const auto stage = [](const char* name, int64_t height, int64_t width) {
    Stage s;
    s.name = name;
    s.shape = {height, width};
    return s;
  };
  std::vector<Stage> stages = {stage("input", 66, 130), stage("rows", 66, 128),
                               stage("out", 64, 128)};
  stages[0].kind = StageKind::kPlaceholder;
  for (int i : {1, 2}) {
    stages[i].axes = {{.name = "y", .extent = stages[i].shape[0]},
                      {.name = "x", .extent = stages[i].shape[1]}};
    stages[i].reads = window(i - 1, 2 - i);
  }
  stages[2].is_output = true;
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 2u);
  EXPECT_EQ(sketches[0].derivation, "stencil_chain skip");
  EXPECT_EQ(sketches[1].derivation, "vector_tile skip");
  EXPECT_EQ(
      ReplayStructure(dag, sketches[0].schedule)->stages[2].iterators.size(),
      6u);
}

// In between, what reads stencils may be cut up where it is, or go elsewhere.
TEST(SketchGeneratorTest, WhatReadsStencilsHasTilesAtTheRoot) {
  const ComputeDag dag = StencilsDag(3, 64);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 2u);
  EXPECT_EQ(sketches[0].derivation, "stencil_chain root_tiles skip");
  EXPECT_EQ(sketches[1].derivation, "vector_tile root_tiles skip");
  for (const Sketch& sketch : sketches) {
    std::vector<std::string> of_middle;
    for (const Decision& decision : sketch.decisions) {
      if (decision.stage == 2) of_middle.push_back(DecisionText(decision));
    }
    const std::string text = absl::StrJoin(of_middle, "; ");
    EXPECT_THAT(text, HasSubstr("extent=66 at_root overlap; "));
    EXPECT_THAT(text, HasSubstr("extent=64 vectors at_root overlap; "));
    EXPECT_THAT(text, HasSubstr("; location stage=2"));
  }
  EXPECT_THAT(Structure(dag, sketches[1]), HasSubstr("for y.0 (?)\n"
                                                     "  for x.0 (?)\n"
                                                     "    for y.1 (?)\n"
                                                     "      for x.1 (?)\n"
                                                     "        s1 = …\n"));
}

// What has tiles of its own may have to be followed.
TEST(SketchGeneratorTest, WhatReadsAProductHasNoTilesAtTheRoot) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  stages[3].is_output = false;
  for (const int i : {4, 5, 6}) {
    Stage stencil = stages[3];
    stencil.name += std::to_string(i);
    stencil.is_output = i == 6;
    stencil.reads = std::vector<Access>(2, stages[3].reads[0]);
    for (Access& access : stencil.reads) access.stage = i - 1;
    stencil.reads[1].indices[0].terms.clear();
    stages.push_back(stencil);
  }
  stages[5].reads.push_back(stages[4].reads[0]);
  for (const Sketch& sketch : Sketches(*ComputeDag::Create(stages))) {
    EXPECT_THAT(sketch.derivation, Not(HasSubstr("root_tiles")));
    EXPECT_THAT(sketch.derivation, HasSubstr("multi_level_tiling"));
  }
}

// Outputs are stored whole, so none is computed in the tiles of what reads it.
TEST(SketchGeneratorTest, OutputsAreNotFused) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  stages[2].is_output = true;
  const ComputeDag dag = *ComputeDag::Create(stages);
  for (const Sketch& sketch : Sketches(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    const int product = state.dag->size() - 2;
    EXPECT_EQ(state.dag->stage(product).name, "C");
    EXPECT_EQ(state.stages[product].location, ComputeLocation::kRoot)
        << sketch.derivation;
  }
}

// What threads accumulate is added to an output once; on a CPU that is one way.
TEST(SketchGeneratorTest, ReductionsThatAreOutputsAreCached) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  stages.pop_back();
  stages[2].is_output = true;
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation, "multi_level_tiling");
  for (int i : {1, 2}) {
    EXPECT_TRUE(sketches[i].derivation.starts_with(
        "cache_write multi_level_tiling_with_fusion"));
    const LoopState state = *ReplayStructure(dag, sketches[i].schedule);
    EXPECT_EQ(state.stages[2].at_stage, 3);
    EXPECT_TRUE(state.dag->stage(3).accumulates);
  }
  stages[2].ordered = true;
  EXPECT_EQ(Sketches(*ComputeDag::Create(stages)).size(), 1u);
}

// Of the three axes of a window only the innermost is cut.
TEST(SketchGeneratorTest, LoopsOfReductionsWhoseOrderMayMatterKeepIt) {
  std::vector<Stage> stages = ConvBiasReluDag({}).stages();
  const auto conv =
      std::find_if(stages.begin(), stages.end(),
                   [](const Stage& s) { return s.HasReduction(); });
  const auto index = static_cast<size_t>(conv - stages.begin());
  conv->ordered = true;
  const ComputeDag dag = *ComputeDag::Create(stages);
  int tiled = 0;
  for (const Sketch& sketch : Sketches(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    std::vector<int> axes;
    for (const Iterator& iterator : state.stages[index].iterators) {
      if (iterator.kind == AxisKind::kReduction)
        axes.push_back(iterator.parts[0].axis);
    }
    EXPECT_TRUE(std::is_sorted(axes.begin(), axes.end()));
    EXPECT_LE(axes.size(), 4u);
    tiled += axes.size() == 4u;
  }
  EXPECT_GT(tiled, 0);
}

// out = A*B + C*D: only one of the products can share the tiles of the sum.
TEST(SketchGeneratorTest, OneOfTwoProducersIsFused) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  Stage out = stages.back();
  stages.pop_back();
  stages.push_back(stages[2]);
  stages[3].name = "C2";
  out.reads.push_back(out.reads[0]);
  out.reads[1].stage = 3;
  stages.push_back(out);
  const ComputeDag dag = *ComputeDag::Create(stages);
  int fused_both = 0;
  for (const Sketch& sketch : Sketches(dag)) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    fused_both += state.stages[2].location == ComputeLocation::kAt &&
                  state.stages[3].location == ComputeLocation::kAt;
  }
  EXPECT_EQ(fused_both, 0);
}

// Ten products, one after the other: choices multiply, sketches do not.
TEST(SketchGeneratorTest, LongChainsHaveASampleOfTheSketches) {
  const std::vector<Stage> one = MatmulReluDag(64, 64, 64).stages();
  std::vector<Stage> stages = {one[0]};
  for (int i = 0; i < 10; ++i) {
    const int previous = static_cast<int>(stages.size()) - 1;
    stages.push_back(one[1]);
    stages.push_back(one[2]);
    stages.back().reads[0].stage = previous;
    stages.back().reads[1].stage = previous + 1;
    stages.push_back(one[3]);
    stages.back().reads[0].stage = previous + 2;
    stages.back().is_output = i == 9;
  }
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  EXPECT_GT(sketches.size(), 100u);
  EXPECT_LE(sketches.size(), 256u);
  EXPECT_EQ(Sketches(dag).size(), sketches.size());
  std::set<int> locations;  // of the first product
  for (const Sketch& sketch : sketches) {
    const LoopState state = *ReplayStructure(dag, sketch.schedule);
    locations.insert(state.stages[2].at_iterator);
  }
  EXPECT_EQ(locations.size(), 3u);
}

// Two readers: neither can be computed in the tiles of the product.
TEST(SketchGeneratorTest, ProductOfSeveralReadersIsCached) {
  std::vector<Stage> stages = MatmulReluDag(64, 64, 64).stages();
  Stage other = stages.back();
  other.name = "other";
  stages.push_back(other);
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation,
            "vector_tile vector_tile multi_level_tiling");
  EXPECT_EQ(
      sketches[1].derivation,
      "vector_tile vector_tile cache_write multi_level_tiling_with_fusion");
  const LoopState state = *ReplayStructure(dag, sketches[1].schedule);
  EXPECT_EQ(state.dag->stage(2).name, "C.local");
  EXPECT_EQ(state.stages[2].at_stage, 3);
  // Where the copy is computed, with the product in it, is open: blocks of it
  // may be in the loops of what reads it.
  EXPECT_TRUE(std::any_of(
      sketches[1].decisions.begin(), sketches[1].decisions.end(),
      [](const Decision& decision) {
        return decision.kind == DecisionKind::kLocation && decision.stage == 3;
      }));
}

TEST(SketchGeneratorTest, LongReductionsAreTakenApart) {
  std::vector<Stage> stages = MatmulReluDag(1, 1, 512).stages();
  const auto add_axis = [](Stage& stage) {
    stage.axes.push_back({"l", 128, AxisKind::kReduction});
    for (Access& read : stage.reads)
      read.indices.push_back({.terms = {{.axis = 3}}});
  };
  stages[0].shape = {1, 512, 128};
  stages[1].shape = {512, 1, 128};
  add_axis(stages[2]);
  const ComputeDag dag = *ComputeDag::Create(stages);
  const std::vector<Sketch> sketches = Sketches(dag);
  ASSERT_EQ(sketches.size(), 4u);
  EXPECT_EQ(sketches[0].derivation, "skip rfactor");
  EXPECT_EQ(sketches[3].derivation, "skip skip");
  EXPECT_EQ(Structure(dag, sketches[2]),
            "for k_rf (256)\n"
            "  for l_rf (2)\n"
            "    for k (2)\n"
            "      for l (64)\n"
            "        C.rf.rf = …\n"
            "for k_rf (256)\n"
            "  for l_rf (?)\n"
            "    C.rf = …\n"
            "for k_rf (?)\n"
            "  C = …\n"
            "out = …\n");
}

}  // namespace
}  // namespace pruner
