// Sliding windows: what is kept of a stage from one iteration to the next, and
// what is computed of it.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// Sums of three rows, of three columns, of three rows, in strips of eight rows
// of the last. Stages: input, s0, s1, s2.
class SlidesTest : public testing::Test {
 protected:
  Program Resolved(const std::string& steps) const {
    return *Resolve(dag_, *ParseSchedule(steps), SampleCpuTarget());
  }
  static std::vector<int64_t> BufferOf(const Program& program, int stage) {
    std::vector<int64_t> extents;
    const Buffer& buffer = program.buffers[program.stages[stage].buffer];
    for (int d = 0; d < buffer.num_dimensions; ++d)
      extents.push_back(program.dimensions[buffer.first_dimension + d].extent);
    return extents;
  }
  static int64_t Executions(const Program& program, int stage) {
    return program.statements[program.stages[stage].body].executions;
  }

  const ComputeDag dag_ = StencilsDag(3, 64);
  const std::string strips_ =
      "split stage=3 iterator=0 lengths=8 tail=guard\n"
      "annotate stage=3 iterator=0 annotation=parallel\n";
  const std::string rows_ =
      "compute_at stage=2 target_stage=3 target_iterator=1\n";
};

TEST_F(SlidesTest, RowsThatWereComputedAreKept) {
  const Program without = Resolved(strips_ + rows_);
  EXPECT_EQ(BufferOf(without, 2), (std::vector<int64_t>{3, 64}));
  EXPECT_EQ(Executions(without, 2), 64 * 3 * 64);

  const Program program = Resolved(strips_ + rows_ + "slide stage=2\n");
  const ProgramStage& slid = program.stages[2];
  EXPECT_EQ(slid.slide_dimension, 0);
  EXPECT_EQ(program.axis_extents[slid.first_axis], 1);
  // Of a power of two of rows three are kept, outside of the loop over rows.
  EXPECT_EQ(BufferOf(program, 2), (std::vector<int64_t>{4, 64}));
  const Buffer& buffer = program.buffers[slid.buffer];
  EXPECT_EQ(buffer.loop, program.loops[slid.loop].parent);
  EXPECT_EQ(program.loops[buffer.loop].kind, LoopKind::kParallel);
  // Two before each strip's first.
  EXPECT_EQ(slid.early_iterations, 2);
  EXPECT_EQ(Executions(program, 2), 8 * (8 + 2) * 64);
}

TEST_F(SlidesTest, WhatIsReadIsComputedForWhatIsNewAlone) {
  const Program program =
      Resolved(strips_ + rows_ + "slide stage=2\n" +
               "compute_at stage=1 target_stage=3 target_iterator=1\n");
  EXPECT_EQ(BufferOf(program, 1), (std::vector<int64_t>{1, 66}));
  EXPECT_EQ(program.stages[1].early_iterations, 2);
  EXPECT_EQ(Executions(program, 1), 8 * (8 + 2) * 66);
}

TEST_F(SlidesTest, ChainsBeginEarlierAndEarlier) {
  const ComputeDag dag = StencilsDag(5, 64);
  std::string steps =
      "split stage=5 iterator=0 lengths=16 tail=guard\n"
      "annotate stage=5 iterator=0 annotation=parallel\n";
  for (const int stage : {4, 3, 2}) {
    absl::StrAppend(&steps, "compute_at stage=", stage,
                    " target_stage=5 target_iterator=1\nslide stage=", stage,
                    "\n");
  }
  const Program program =
      *Resolve(dag, *ParseSchedule(steps), SampleCpuTarget());
  // Sums of rows are read by s4 and s2, so s3 and s1 slide.
  EXPECT_EQ(program.stages[4].early_iterations, 2);
  EXPECT_EQ(program.stages[3].slide_dimension, -1);
  EXPECT_EQ(program.stages[3].early_iterations, 2);
  EXPECT_EQ(program.stages[2].early_iterations, 4);
  EXPECT_EQ(program.axis_extents[program.stages[2].first_axis], 1);
}

TEST_F(SlidesTest, ItTakesASerialLoopAndSomethingInCommon) {
  // Parallel; unrolled; not moved by the loop over columns alone.
  for (const std::string steps :
       {"annotate stage=3 iterator=1 annotation=parallel\n",
        "annotate stage=3 iterator=1 annotation=unroll\n",
        "reorder stage=3 order=0,2,1\n"}) {
    const Program program =
        Resolved(strips_ + steps + rows_ + "slide stage=2\n");
    EXPECT_EQ(program.stages[2].slide_dimension, -1) << steps;
    EXPECT_EQ(program, Resolved(strips_ + steps + rows_)) << steps;
  }
}

TEST_F(SlidesTest, NothingSlidesAtTheRoot) {
  const auto program =
      Resolve(dag_, *ParseSchedule("slide stage=2\n"), SampleCpuTarget());
  EXPECT_EQ(program.status().message(),
            "step 0: stage 's1' is in no loop that it could slide over");
}

}  // namespace
}  // namespace pruner
