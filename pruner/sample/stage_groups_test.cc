#include "pruner/sample/stage_groups.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TEST(StageGroupsTest, StagesThatShareTilesAreAGroup) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const Schedule fused = *ParseSchedule(
      "split stage=2 iterator=0 lengths=0 tail=guard\n"
      "follow_split stage=3 iterator=0 source_step=0 levels=2 tail=guard\n"
      "compute_at stage=2 target_stage=3 target_iterator=0\n");
  EXPECT_THAT(StageGroups(fused, *ReplayStructure(dag, fused)),
              ElementsAre(0, 1, 2, 2));
  const Schedule follows = {
      .steps = {fused.steps.begin(), fused.steps.begin() + 2}};
  EXPECT_THAT(StageGroups(follows, *ReplayStructure(dag, follows)),
              ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(StageGroups({}, *ReplayStructure(dag, {})),
              ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace pruner
