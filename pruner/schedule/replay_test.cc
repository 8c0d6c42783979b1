#include "pruner/schedule/replay.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ReplayText(const ComputeDag& dag, absl::string_view steps) {
  const absl::StatusOr<Schedule> schedule = ParseSchedule(steps);
  if (!schedule.ok()) return std::string(schedule.status().message());
  const absl::StatusOr<LoopState> state = Replay(dag, *schedule);
  return state.ok() ? state->ToString() : std::string(state.status().message());
}

TEST(ReplayTest, NaiveStateHasALoopPerAxis) {
  EXPECT_EQ(ReplayText(MatmulReluDag(4, 8, 16), ""),
            "for i (4)\n"
            "  for j (8)\n"
            "    for k (16)\n"
            "      C = …\n"
            "for i (4)\n"
            "  for j (8)\n"
            "    out = …\n");
}

TEST(ReplayTest, SplitRoundsTheOutermostLoopUp) {
  EXPECT_EQ(ReplayText(MatmulReluDag(10, 8, 16), "compute_inline stage=1\n"),
            "step 0: there is no compute stage 1");
  EXPECT_EQ(ReplayText(MatmulReluDag(10, 1, 1),
                       "split stage=2 iterator=0 lengths=2,2 tail=guard\n"),
            "for i.0 (3)\n"
            "  for i.1 (2)\n"
            "    for i.2 (2)\n"
            "      C = …\n"
            "for i (10)\n"
            "  out = …\n");
}

// Rule 4 by hand: the accumulator is tiled and computed at the consumer's tile.
constexpr char kFused[] =
    "split stage=2 iterator=0 lengths=2,2,4 tail=guard\n"
    "split stage=2 iterator=4 lengths=2,2,16 tail=guard\n"
    "split stage=2 iterator=8 lengths=8 tail=guard\n"
    "reorder stage=2 order=0,4,1,5,8,2,6,9,3,7\n"
    "follow_split stage=3 iterator=0 source_step=0 levels=3 tail=guard\n"
    "follow_split stage=3 iterator=3 source_step=1 levels=3 tail=guard\n"
    "reorder stage=3 order=0,3,1,4,2,5\n"
    "compute_at stage=2 target_stage=3 target_iterator=3\n"
    "fuse stage=3 iterator=0 count=2\n"
    "annotate stage=3 iterator=0 annotation=parallel\n";

TEST(ReplayTest, AttachedStageKeepsOnlyTheLoopsOfItsTile) {
  EXPECT_EQ(ReplayText(MatmulReluDag(64, 128, 32), kFused),
            "parallel i.0@j.0 (8)\n"
            "  for i.1 (2)\n"
            "    for j.1 (2)\n"
            "      for k.0 (4)\n"
            "        for i.2 (2)\n"
            "          for j.2 (2)\n"
            "            for k.1 (8)\n"
            "              for i.3 (4)\n"
            "                for j.3 (16)\n"
            "                  C = …\n"
            "      for i.2 (8)\n"
            "        for j.2 (32)\n"
            "          out = …\n");
}

TEST(ReplayTest, WindowOfAnAttachedProducer) {
  const ComputeDag dag = ConvBiasReluDag({.stride = 2});
  LoopState state = NaiveState(dag);
  // One row of the output reads three rows of the padded input.
  state.stages[3].location = ComputeLocation::kAt;
  state.stages[3].at_stage = 4;
  state.stages[3].at_iterator = 1;
  ASSERT_TRUE(InferBounds(state).ok());
  EXPECT_EQ(state.stages[3].axis_extents, (std::vector<int64_t>{1, 3, 57, 64}));
  Regions regions(state);
  // Of what is read modulo a number, Halide takes all.
  EXPECT_EQ(regions.Required(1, 4, 3), (std::vector<int64_t>{1, 3, 3, 64, 16}));
  EXPECT_EQ(regions.Required(1, 4, 2), (std::vector<int64_t>{4, 3, 3, 64, 16}));
}

TEST(ReplayTest, RefusesStagesAttachedOutOfTheirReadersSight) {
  EXPECT_EQ(ReplayText(ConvBiasReluDag({}),
                       "compute_at stage=3 target_stage=5 target_iterator=1\n"),
            "stage 'pad' is computed inside a loop that does not hold all its "
            "readers");
}

// The initialization of the reduction is not inside the loops of its body.
TEST(ReplayTest, RefusesStagesThatAnInitializationReadsInTheBody) {
  std::vector<Stage> stages = ConvBiasReluDag({}).stages();
  const char* steps = "compute_at stage=3 target_stage=4 target_iterator=1\n";
  EXPECT_TRUE(Replay(*ComputeDag::Create(stages), *ParseSchedule(steps)).ok());
  stages[4].reads[0].by_initialization = true;
  EXPECT_EQ(ReplayText(*ComputeDag::Create(stages), steps),
            "stage 'pad' is computed inside a loop that does not hold all its "
            "readers");
}

TEST(ReplayTest, RefusesStepsThatDoNotFit) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  EXPECT_EQ(ReplayText(dag, "fuse stage=2 iterator=1 count=2\n"),
            "step 0: cannot fuse spatial and reduction loops");
  EXPECT_EQ(ReplayText(dag, "fuse stage=2 iterator=2 count=2\n"),
            "step 0: cannot fuse 2 loops from 2 on");
  EXPECT_EQ(ReplayText(dag, "fuse stage=2 iterator=1 count=2147483647\n"),
            "step 0: cannot fuse 2147483647 loops from 1 on");
  EXPECT_EQ(ReplayText(dag, "reorder stage=2 order=0,0,1\n"),
            "step 0: order is not a permutation");
  EXPECT_EQ(ReplayText(dag, "split stage=2 iterator=3 lengths=2 tail=guard\n"),
            "step 0: stage 2 has no loop 3");
  EXPECT_EQ(ReplayText(dag, "compute_inline stage=2\n"),
            "step 0: stage 'C' cannot be inlined");
  EXPECT_EQ(ReplayText(dag, "split stage=2 iterator=0 lengths=0 tail=guard\n"),
            "a split still has a hole");
  EXPECT_EQ(
      ReplayText(dag,
                 "compute_at stage=2 target_stage=3 target_iterator=0\n"
                 "fuse stage=3 iterator=0 count=2\n"),
      "step 1: a stage is computed at a loop that was fused into another");
  EXPECT_EQ(ReplayText(dag,
                       "follow_split stage=3 iterator=0 source_step=1 levels=2 "
                       "tail=guard\n"
                       "split stage=2 iterator=0 lengths=2 tail=guard\n"),
            "step 0: source_step 1 is not an earlier step");
}

TEST(ReplayTest, RefusesAnotherOrderOfReductionsThatMayMatter) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].ordered = true;
  const ComputeDag dag = *ComputeDag::Create(std::move(stages));
  const std::string split = "split stage=2 iterator=2 lengths=4 tail=guard\n";
  EXPECT_EQ(ReplayText(dag, split + "reorder stage=2 order=0,1,3,2\n"),
            "step 1: the order of the reduction's loops may matter");
  EXPECT_THAT(ReplayText(dag, split + "reorder stage=2 order=2,1,3,0\n"),
              Not(HasSubstr("may matter")));
}

TEST(ReplayTest, OnlyInputsThatAStageReadsAreStreamed) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  const auto state = [&](const char* steps) {
    return Replay(dag, *ParseSchedule(steps));
  };
  EXPECT_EQ(state("stream stage=2 source=1 max_bytes=64\n")->stages[2].streamed,
            1);
  // Its number is that of the stages that there are in the end.
  EXPECT_EQ(state("stream stage=2 source=1 max_bytes=64\n"
                  "cache_read stage=0 readers=2\n")
                ->stages[3]
                .streamed,
            2);
  EXPECT_EQ(ReplayText(dag, "stream stage=3 source=1 max_bytes=64\n"),
            "step 0: stage 'out' reads no input of number 1");
  EXPECT_EQ(ReplayText(dag, "stream stage=3 source=2 max_bytes=64\n"),
            "step 0: stage 'out' reads no input of number 2");
  EXPECT_EQ(ReplayText(dag, "stream stage=2 source=9 max_bytes=64\n"),
            "step 0: stage 'C' reads no input of number 9");
  EXPECT_EQ(ReplayText(dag, "stream stage=2 source=1 max_bytes=-1\n"),
            "step 0: what is at most -1 bytes is nothing");
}

TEST(ReplayTest, OnlyInputsOfKnownSizeAreStreamed) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[1].sizes_are_known = false;
  EXPECT_EQ(ReplayText(*ComputeDag::Create(std::move(stages)),
                       "stream stage=2 source=1 max_bytes=64\n"),
            "step 0: nothing is streamed of 'B', whose size is only estimated");
}

TEST(ReplayTest, RefusesLoopsThatNoIndexCounts) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  EXPECT_EQ(ReplayText(dag,
                       "split stage=2 iterator=0 "
                       "lengths=4294967296,4294967296 tail=guard\n"),
            "step 0: a loop of more than 2147483647 iterations");
  EXPECT_EQ(
      ReplayText(dag,
                 "split stage=2 iterator=0 lengths=2147483647 tail=guard\n"
                 "split stage=2 iterator=2 lengths=2147483647 tail=guard\n"
                 "reorder stage=2 order=1,3,0,2,4\n"
                 "fuse stage=2 iterator=0 count=2\n"),
      "step 3: a loop of more than 2147483647 iterations");
  // Of few iterations each, whose steps no index counts.
  const std::string split =
      "split stage=2 iterator=0 lengths=2147483647 tail=guard\n";
  EXPECT_EQ(ReplayText(dag, absl::StrCat(split, split)),
            "step 1: a loop of more than 2147483647 iterations");
}

// p is read at (x + 1) / 2 and x / 2, in tiles that begin at even numbers.
TEST(ReplayTest, OffsetsCountBeforeTheDivision) {
  std::vector<Stage> stages = MaxPoolDag(9, 8).stages();
  Stage p = stages[2];
  p.name = "p";
  p.shape = {33};
  p.axes = {{.name = "x", .extent = 33}};
  p.reads = {};
  p.is_output = false;
  Stage out = p;
  out.name = "out";
  out.shape = {64};
  out.axes[0].extent = 64;
  out.is_output = true;
  out.reads = {
      {.stage = 0,
       .indices = {{.terms = {{.axis = 0}}, .constant = 1, .divisor = 2}}},
      {.stage = 0, .indices = {{.terms = {{.axis = 0}}, .divisor = 2}}}};
  EXPECT_EQ(ReplayText(*ComputeDag::Create({p, out}),
                       "split stage=1 iterator=0 lengths=8 tail=guard\n"
                       "compute_at stage=0 target_stage=1 target_iterator=0\n"),
            "for x.0 (8)\n"
            "  for x (5)\n"
            "    p = …\n"
            "  for x.1 (8)\n"
            "    out = …\n");
  // Of 33 elements modulo 16, those from 20 on.
  out.reads = {
      {.stage = 0,
       .indices = {{.terms = {{.axis = 0}}, .constant = 20, .modulus = 32}}}};
  EXPECT_EQ(ReplayText(*ComputeDag::Create({p, out}),
                       "split stage=1 iterator=0 lengths=16 tail=guard\n"
                       "compute_at stage=0 target_stage=1 target_iterator=0\n"),
            "for x.0 (4)\n"
            "  for x (32)\n"
            "    p = …\n"
            "  for x.1 (16)\n"
            "    out = …\n");
}

TEST(ReplayTest, InsertedStagesMoveLaterOnesUp) {
  EXPECT_EQ(ReplayText(MatmulReluDag(4, 8, 16),
                       "compute_at stage=2 target_stage=3 target_iterator=0\n"
                       "cache_read stage=1 readers=2\n"
                       "compute_at stage=2 target_stage=3 target_iterator=2\n"
                       "store_in stage=2 storage=shared\n"),
            "for i (4)\n"
            "  for j (8)\n"
            "    for k (16)\n"
            "      # B.shared in shared memory\n"
            "      B.shared = …\n"
            "      C = …\n"
            "  for j (8)\n"
            "    out = …\n");
}

TEST(ReplayTest, CopiesAreStoredInAnOrderOfTheirOwn) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  EXPECT_EQ(ReplayText(dag,
                       "cache_read stage=1 readers=2\n"
                       "storage_order stage=2 order=1,0\n"
                       "compute_at stage=2 target_stage=3 target_iterator=0\n"),
            "for i (4)\n"
            "  # B.shared stored as [i1][i0]\n"
            "  for i0 (16)\n"
            "    for i1 (8)\n"
            "      B.shared = …\n"
            "  for j (8)\n"
            "    for k (16)\n"
            "      C = …\n"
            "for i (4)\n"
            "  for j (8)\n"
            "    out = …\n");
  EXPECT_EQ(ReplayText(dag, "storage_order stage=2 order=1,1\n"),
            "step 0: order is not a permutation");
  EXPECT_EQ(ReplayText(dag, "storage_order stage=2 order=2,1,0\n"),
            "step 0: order names too few or many dimensions");
  EXPECT_EQ(ReplayText(dag, "storage_order stage=3 order=1,0\n"),
            "step 0: an output is stored as its reader says");
  EXPECT_EQ(ReplayText(dag, "storage_order stage=1 order=1,0\n"),
            "step 0: there is no compute stage 1");
}

TEST(ReplayTest, ReductionIsTakenApart) {
  EXPECT_EQ(ReplayText(MatmulReluDag(4, 1, 16),
                       "rfactor stage=2 axis=2 factor=8 part=inner\n"
                       "compute_at stage=2 target_stage=3 target_iterator=0\n"),
            "for i (4)\n"
            "  for k_rf (8)\n"
            "    for k (2)\n"
            "      C.rf = …\n"
            "  for k_rf (8)\n"
            "    C = …\n"
            "for i (4)\n"
            "  out = …\n");
  EXPECT_EQ(ReplayText(MatmulReluDag(4, 1, 16),
                       "rfactor stage=2 axis=2 factor=0 part=inner\n"),
            "a split still has a hole");
  EXPECT_EQ(ReplayText(MatmulReluDag(4, 1, 16),
                       "split stage=2 iterator=2 lengths=2 tail=guard\n"
                       "rfactor stage=2 axis=2 factor=4 part=inner\n"),
            "step 1: stage 2 has been transformed already");
}

// A copy that all threads share the work of, as many as the reader has.
TEST(ReplayTest, FusedLoopIsSplitLikeOthersTogether) {
  EXPECT_EQ(ReplayText(MatmulReluDag(12, 10, 16),
                       "split stage=2 iterator=0 lengths=3,2 tail=guard\n"
                       "split stage=2 iterator=3 lengths=5,1 tail=guard\n"
                       "cache_read stage=0 readers=2\n"
                       "fuse stage=1 iterator=0 count=2\n"
                       "split stage=1 iterator=0 lengths=4 tail=guard\n"
                       "follow_fused_split stage=1 iterator=0 "
                       "source_steps=0,1 level=0 tail=guard\n"
                       "annotate stage=1 iterator=1 annotation=thread\n"
                       "annotate stage=1 iterator=2 annotation=vectorize\n"
                       "compute_at stage=1 target_stage=3 "
                       "target_iterator=0\n"),
            "for i.0 (2)\n"
            "  for (i0@i1).0.0 (2)\n"
            "    thread (i0@i1).0.1 (15)\n"
            "      vectorize (i0@i1).1 (4)\n"
            "        A.shared = …\n"
            "  for i.1 (3)\n"
            "    for i.2 (2)\n"
            "      for j.0 (2)\n"
            "        for j.1 (5)\n"
            "          for k (16)\n"
            "            C = …\n"
            "for i (12)\n"
            "  for j (10)\n"
            "    out = …\n");
}

}  // namespace
}  // namespace pruner
