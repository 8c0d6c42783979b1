// Pipelines of reductions, and of operators that compare or add up along an
// axis.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

Shape RandomShape(Rng& rng, int64_t lowest_rank, int64_t highest_rank) {
  Shape shape(rng.Uniform(lowest_rank, highest_rank));
  for (int64_t& extent : shape) extent = rng.Uniform(1, 5);
  return shape;
}

int64_t RandomAxis(Rng& rng, const Shape& shape) {
  return rng.Uniform(0, static_cast<int64_t>(shape.size()) - 1);
}

TEST(ReductionPipelineTest, Reductions) {
  Rng rng(1);
  for (const std::string kind : {"sum", "mean", "max", "min", "prod", "l1",
                                 "l2", "sum_square", "log_sum_exp"}) {
    for (int i = 0; i < 5; ++i) {
      const Shape shape = RandomShape(rng, 0, 5);
      Reduce op{.kind = kind, .keepdims = rng.Chance(0.5)};
      for (size_t d = 0; d < shape.size(); ++d) {
        if (rng.Chance(0.5)) op.axes.push_back(static_cast<int64_t>(d));
      }
      ExpectOperatorComputes(op, {{shape}});
    }
  }
  for (const std::string kind : {"sum", "max", "min", "prod"}) {
    ExpectOperatorComputes(Reduce{.kind = kind, .axes = {1}},
                           {{{3, 7}, DataType::kInt64}});
  }
}

// Random inputs have sums below 0.
TEST(ReductionPipelineTest, LogarithmsOfSums) {
  const Subgraph subgraph = OnlySubgraph([](GraphBuilder& b) {
    b.Output(b.Apply("y", Reduce{.kind = "log_sum", .axes = {0}},
                     {b.Input("x", {2, 2})}));
  });
  const absl::StatusOr<OpPipeline> op =
      BuildPipeline(subgraph, SampleCpuTarget());
  ASSERT_TRUE(op.ok()) << op.status();
  const Array got = RunUnscheduled(*op, {{{2, 2}, {1, 2, 3, 4}}});
  EXPECT_NEAR(got.values[0], std::log(4), 1e-6);
  EXPECT_NEAR(got.values[1], std::log(6), 1e-6);
}

TEST(ReductionPipelineTest, IndicesOfTheLargest) {
  Rng rng(2);
  for (const std::string kind : {"max", "min"}) {
    for (int i = 0; i < 6; ++i) {
      const Shape shape = RandomShape(rng, 1, 4);
      ExpectOperatorComputes(ArgReduce{.kind = kind,
                                       .axis = RandomAxis(rng, shape),
                                       .keepdims = rng.Chance(0.5),
                                       .select_last_index = rng.Chance(0.5)},
                             {{shape}});
    }
  }
}

TEST(ReductionPipelineTest, RunningSums) {
  Rng rng(3);
  for (int i = 0; i < 10; ++i) {
    const Shape shape = RandomShape(rng, 1, 4);
    ExpectOperatorComputes(
        CumSum{.axis = RandomAxis(rng, shape),
               .exclusive = (i & 1) != 0,
               .reverse = (i & 2) != 0},
        {{shape, rng.Chance(0.7) ? DataType::kFloat32 : DataType::kInt64}});
  }
}

TEST(ReductionPipelineTest, TopElements) {
  Rng rng(4);
  for (int i = 0; i < 8; ++i) {
    const Shape shape = RandomShape(rng, 1, 4);
    const int64_t axis = RandomAxis(rng, shape);
    const int64_t k = rng.Uniform(1, shape[axis]);
    const bool largest = rng.Chance(0.5);
    // Among so few whole numbers many are equal.
    const DataType type =
        rng.Chance(0.5) ? DataType::kFloat32 : DataType::kInt64;
    ExpectOperatorComputes(TopKValues{axis, k, largest}, {{shape, type}});
    ExpectOperatorComputes(TopKIndices{axis, k, largest}, {{shape, type}});
  }
}

TEST(ReductionPipelineTest, OneHots) {
  Rng rng(5);
  for (int i = 0; i < 8; ++i) {
    const Shape shape = RandomShape(rng, 0, 3);
    ExpectOperatorComputes(
        OneHot{.axis = rng.Uniform(0, static_cast<int64_t>(shape.size())),
               .depth = rng.Uniform(1, 9)},
        {{shape, DataType::kInt64}, {{2}, kDataTypes[rng.Uniform(0, 2)]}});
  }
}

TEST(ReductionPipelineTest, Triangles) {
  Rng rng(6);
  for (int i = 0; i < 8; ++i) {
    ExpectOperatorComputes(
        Trilu{.upper = rng.Chance(0.5), .k = rng.Uniform(-3, 3)},
        {{RandomShape(rng, 2, 4), kDataTypes[rng.Uniform(0, 2)]}});
  }
}

}  // namespace
}  // namespace pruner
