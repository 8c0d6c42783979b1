// Loops over planes that have nothing in common, outside of tiles.
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

// Stencils over each of three planes.
ComputeDag PlanesDag() {
  std::vector<Stage> stages = StencilsDag(3, 64).stages();
  for (Stage& stage : stages) {
    stage.shape.insert(stage.shape.begin(), 3);
    if (stage.kind == StageKind::kPlaceholder) continue;
    stage.axes.insert(stage.axes.begin(), Axis{.name = "c", .extent = 3});
    for (Access& read : stage.reads) {
      for (IndexExpr& index : read.indices) {
        for (auto& term : index.terms) ++term.axis;
      }
      read.indices.insert(read.indices.begin(),
                          IndexExpr{.terms = {{.axis = 0}}});
    }
  }
  return *ComputeDag::Create(stages);
}

std::vector<Sketch> SketchesOf(const ComputeDag& dag, bool timed) {
  const TargetSpec target = SampleCpuTarget();
  const absl::StatusOr<std::vector<Sketch>> sketches =
      GenerateSketches({.dag = dag, .target = target, .timed = timed});
  EXPECT_TRUE(sketches.ok()) << sketches.status();
  return sketches.value_or(std::vector<Sketch>());
}

std::vector<std::string> Derivations(const std::vector<Sketch>& sketches) {
  std::vector<std::string> derivations;
  for (const Sketch& sketch : sketches)
    derivations.push_back(sketch.derivation);
  return derivations;
}

std::vector<std::string> Loops(const ComputeDag& dag, const Sketch& sketch,
                               int stage) {
  const LoopState state = *ReplayStructure(dag, sketch.schedule);
  std::vector<std::string> names;
  for (const Iterator& loop : state.stages[stage].iterators)
    names.push_back(IteratorName(dag.stage(stage), loop));
  return names;
}

TEST(SketchSeparateTest, PlanesMayComeBeforeTilesWhereCandidatesAreTimed) {
  const ComputeDag dag = PlanesDag();
  const std::vector<Sketch> sketches = SketchesOf(dag, /*timed=*/true);
  EXPECT_THAT(Derivations(sketches),
              ElementsAre("stencil_chain root_tiles skip",
                          "stencil_chain:1 root_tiles skip",
                          "vector_tile root_tiles skip"));
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_THAT(Loops(dag, sketches[0], 3),
              ElementsAre("y.0", "x.0", "c", "y.1", "x.1", "y.2", "x.2"));
  EXPECT_THAT(Loops(dag, sketches[1], 3),
              ElementsAre("c", "y.0", "x.0", "y.1", "x.1", "y.2", "x.2"));
  // All tiled stages alike.
  EXPECT_THAT(Loops(dag, sketches[0], 2),
              ElementsAre("y.0", "x.0", "c", "y.1", "x.1"));
  EXPECT_THAT(Loops(dag, sketches[1], 2),
              ElementsAre("c", "y.0", "x.0", "y.1", "x.1"));
  EXPECT_THAT(Loops(dag, sketches[2], 2),
              ElementsAre("y.0", "x.0", "c", "y.1", "x.1"));
}

// Models say little of what it costs.
TEST(SketchSeparateTest, ModelsAloneHaveTilesFirst) {
  EXPECT_THAT(Derivations(SketchesOf(PlanesDag(), /*timed=*/false)),
              ElementsAre("stencil_chain root_tiles skip",
                          "vector_tile root_tiles skip"));
}

// There is nothing to be outside.
TEST(SketchSeparateTest, TiledAxesAreNoPlanes) {
  EXPECT_THAT(Derivations(SketchesOf(StencilsDag(3, 64), /*timed=*/true)),
              ElementsAre("stencil_chain root_tiles skip",
                          "vector_tile root_tiles skip"));
}

}  // namespace
}  // namespace pruner
