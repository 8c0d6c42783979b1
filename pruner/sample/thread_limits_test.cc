// What is refused of schedules for threads before anything is compiled.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/instantiate.h"
#include "pruner/sample/limits.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Lengths = std::vector<int32_t>;

class ThreadLimitsTest : public testing::Test {
 protected:
  // The sketch of a product of 1024 x 1024 with these tiles: virtual threads,
  // threads and two levels of registers of rows and columns; chunks of the
  // depth; vectors of the copies.
  std::string Check(const Lengths& rows, const Lengths& columns,
                    const Lengths& depth, int32_t vector = 4) const {
    const ComputeDag dag = MatmulReluDag(1024, 1024, 1024);
    const std::vector<Sketch> sketches =
        *GenerateSketches({.dag = dag, .target = target_});
    const Sketch& sketch = sketches[0];
    Values values(sketch.NumValues(), 0);
    for (const Decision& decision : sketch.decisions) {
      if (!decision.HasLengths()) continue;
      Lengths lengths = decision.axis == 0 ? rows : columns;
      if (decision.lengths().axis_kind == AxisKind::kReduction) lengths = depth;
      if (decision.kind == DecisionKind::kVector) lengths = {vector};
      std::copy(lengths.begin(), lengths.end(),
                values.begin() + decision.first);
    }
    const std::optional<Rejection> rejection = CheckLimits(
        *Resolve(dag, WithoutLocations(dag, sketch, values)->schedule, target_),
        target_);
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
