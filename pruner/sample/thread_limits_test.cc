// What is refused of schedules for threads before anything is compiled.
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/split_info.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Lengths = std::vector<int64_t>;

class ThreadLimitsTest : public testing::Test {
 protected:
  // The sketch of a product of 1024 x 1024 with these tiles: virtual threads,
  // threads and two levels of registers of rows and columns; chunks of the
  // depth; vectors of the copies.
  std::string Check(const Lengths& rows, const Lengths& columns,
                    const Lengths& depth, int64_t vector = 4) const {
    const ComputeDag dag = MatmulReluDag(1024, 1024, 1024);
    const std::vector<Sketch> sketches =
        *GenerateSketches({.dag = dag, .target = target_});
    Schedule schedule = sketches[0].schedule;
    const std::vector<SplitInfo> splits = *FindSplits(dag, schedule);
    for (const SplitInfo& split : splits) {
      Lengths lengths = split.axis == 0 ? rows : columns;
      if (split.kind == AxisKind::kReduction) lengths = depth;
      if (split.role == SplitRole::kVector) lengths = {vector};
      SetLengths(lengths, schedule.steps[split.step]);
    }
    const std::optional<Rejection> rejection =
        CheckLimits(*Resolve(dag, schedule, target_), target_);
    return rejection ? std::string(RejectionName(*rejection)) : "";
  }

  const TargetSpec target_ = SampleGpuTarget();
};

TEST_F(ThreadLimitsTest, TilesThatFit) {
  EXPECT_EQ(Check({2, 16, 1, 4}, {2, 16, 1, 4}, {2, 4}), "");
}

TEST_F(ThreadLimitsTest, TooManyThreads) {
  EXPECT_EQ(Check({1, 64, 1, 1}, {1, 32, 1, 1}, {2, 4}), "threads");
}

TEST_F(ThreadLimitsTest, LessThanAWarp) {
  EXPECT_EQ(Check({2, 4, 1, 4}, {2, 4, 1, 4}, {2, 4}), "threads");
}

TEST_F(ThreadLimitsTest, TooManyVirtualThreads) {
  EXPECT_EQ(Check({4, 8, 1, 1}, {4, 8, 1, 1}, {2, 4}), "vthreads");
}

TEST_F(ThreadLimitsTest, TooManyAccumulators) {
  EXPECT_EQ(Check({1, 8, 4, 4}, {1, 8, 4, 4}, {2, 4}), "registers");
}

TEST_F(ThreadLimitsTest, TooMuchSharedMemory) {
  EXPECT_EQ(Check({2, 16, 1, 4}, {2, 16, 1, 4}, {16, 4}), "shared_memory");
}

// Rows of the chunk have 2 elements.
TEST_F(ThreadLimitsTest, VectorsAcrossRows) {
  EXPECT_EQ(Check({2, 16, 1, 4}, {2, 16, 1, 4}, {1, 2}), "vector_length");
  EXPECT_EQ(Check({2, 16, 1, 4}, {2, 16, 1, 4}, {1, 2}, 2), "");
}

}  // namespace
}  // namespace pruner
