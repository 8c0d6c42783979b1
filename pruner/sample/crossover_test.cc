#include "pruner/sample/crossover.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/split_info.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

// Two stages that share their tiles, 2 and 3, and two that do not.
class CrossoverTest : public testing::Test {
 protected:
  Genes Parent(int tile, int max_step) const {
    Genes genes = {.tiled = sketch_, .choices = Choices(4)};
    std::get<SplitStep>(genes.tiled.steps[0]).lengths = {tile};
    genes.choices[2].auto_unroll = max_step;
    genes.choices[3].parallel_loops = tile;
    return genes;
  }

  const ComputeDag dag_ = MatmulReluDag(64, 64, 64);
  const Schedule sketch_ = *ParseSchedule(
      "split stage=2 iterator=0 lengths=0 tail=guard\n"
      "follow_split stage=3 iterator=0 source_step=0 levels=2 tail=guard\n"
      "compute_at stage=2 target_stage=3 target_iterator=0\n");
  const std::vector<SplitInfo> splits_ = *FindSplits(dag_, sketch_);
};

TEST_F(CrossoverTest, StagesThatShareTilesAreAGroup) {
  EXPECT_THAT(StageGroups(sketch_, *ReplayStructure(dag_, sketch_)),
              ElementsAre(0, 1, 2, 2));
  const Schedule follows = {
      .steps = {sketch_.steps.begin(), sketch_.steps.begin() + 2}};
  EXPECT_THAT(StageGroups(follows, *ReplayStructure(dag_, follows)),
              ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(StageGroups({}, *ReplayStructure(dag_, {})),
              ElementsAre(0, 1, 2, 3));

  // The padding is the sampler's to place.
  const ComputeDag conv = ConvBiasReluDag({});
  const TargetSpec target = SampleCpuTarget();
  const Schedule fused =
      GenerateSketches({.dag = conv, .target = target}).value()[0].schedule;
  EXPECT_THAT(StageGroups(fused, *ReplayStructure(conv, fused)),
              ElementsAre(0, 1, 2, 3, 4, 4));
}

TEST_F(CrossoverTest, AGroupHasOneParent) {
  const std::vector<int> groups = {0, 1, 2, 2};
  Rng rng(1);
  // All that differs is in one group.
  EXPECT_EQ(CrossGenes(splits_, groups, Parent(2, 16), Parent(4, 64), rng),
            std::nullopt);
}

TEST_F(CrossoverTest, EachParentGivesSomething) {
  const std::vector<int> groups = {0, 1, 2, 3};
  const Genes a = Parent(2, 16), b = Parent(4, 64);
  Genes tiles_of_a = a, tiles_of_b = b;
  tiles_of_a.choices[3] = b.choices[3];
  tiles_of_b.choices[3] = a.choices[3];
  Rng rng(1);
  int from_a = 0, from_b = 0;
  for (int i = 0; i < 100; ++i) {
    const std::optional<Genes> child = CrossGenes(splits_, groups, a, b, rng);
    ASSERT_TRUE(child.has_value());
    from_a += *child == tiles_of_a;
    from_b += *child == tiles_of_b;
  }
  EXPECT_EQ(from_a + from_b, 100);
  EXPECT_GT(from_a, 20);
  EXPECT_GT(from_b, 20);
}

TEST_F(CrossoverTest, EqualParentsHaveTheirLike) {
  Rng rng(1);
  EXPECT_EQ(
      CrossGenes(splits_, {0, 1, 2, 2}, Parent(2, 16), Parent(2, 16), rng),
      Parent(2, 16));
}

}  // namespace
}  // namespace pruner
