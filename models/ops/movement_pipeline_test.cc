// Pipelines of operators that move elements.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

Shape RandomShape(Rng& rng, int64_t lowest_rank, int64_t highest_rank) {
  Shape shape(rng.Uniform(lowest_rank, highest_rank));
  for (int64_t& extent : shape) extent = rng.Uniform(1, 4);
  return shape;
}

DataType RandomType(Rng& rng) { return kDataTypes[rng.Uniform(0, 2)]; }

TEST(MovementPipelineTest, Transposes) {
  Rng rng(1);
  ExpectOperatorComputes(Transpose{}, {{{}}});
  ExpectOperatorComputes(Transpose{{0, 2, 3, 1}}, {{{1, 8, 5, 6}}});
  ExpectOperatorComputes(Transpose{{7, 6, 5, 4, 3, 2, 1, 0}},
                         {{{2, 3, 1, 2, 2, 1, 2, 3}}});
  for (int i = 0; i < 12; ++i) {
    const Shape shape = RandomShape(rng, 1, 6);
    std::vector<int64_t> perm(shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    for (size_t d = perm.size(); d-- > 1;)
      std::swap(perm[d], perm[rng.Uniform(0, static_cast<int64_t>(d))]);
    ExpectOperatorComputes(Transpose{perm}, {{shape, RandomType(rng)}});
  }
}

TEST(MovementPipelineTest, TensorsThatAreReadInTwoShapes) {
  // The residual is the transposed tensor itself.
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {2, 2, 2});
    b.Output(b.Add("sum", b.Apply("y", Transpose{{2, 0, 1}}, {x}), x));
  });
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {5, 3}, DataType::kInt64);
    b.Output(b.Apply("y", Gather{1}, {x, x}));
  });
}

TEST(MovementPipelineTest, Concatenations) {
  Rng rng(2);
  for (int i = 0; i < 10; ++i) {
    const Shape shape = RandomShape(rng, 1, 4);
    const DataType type = RandomType(rng);
    const int64_t axis = rng.Uniform(0, static_cast<int64_t>(shape.size()) - 1);
    std::vector<Operand> operands(rng.Uniform(1, 5), {shape, type});
    for (Operand& operand : operands) operand.shape[axis] = rng.Uniform(1, 5);
    ExpectOperatorComputes(Concat{axis}, operands);
  }
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {3, 4});
    b.Output(b.Apply("y", Concat{1}, {x, x, x}));
  });
  // In blocks of 16 elements; of 6 x 4, with a bias for each of the 4.
  ExpectOperatorComputes(Concat{1}, {{{5, 32}}, {{5, 16}}, {{5, 48}}});
  ExpectComputes([](GraphBuilder& b) {
    const TensorId y = b.Apply(
        "y", Concat{1}, {b.Input("x", {2, 6, 4}), b.Input("x2", {2, 12, 4})});
    b.Output(b.BiasAdd("z", y, b.Constant("bias", {4}, {RandomValues{}})));
  });
}

TEST(MovementPipelineTest, Slices) {
  Rng rng(3);
  for (int i = 0; i < 12; ++i) {
    const Shape shape = RandomShape(rng, 0, 5);
    Slice op;
    for (const int64_t extent : shape) {
      const int64_t start = rng.Uniform(0, extent - 1);
      const int64_t size = rng.Chance(0.4) ? extent : rng.Uniform(1, 2);
      const int64_t step = size == extent ? 1 : rng.Chance(0.5) ? -1 : 2;
      const bool fits =
          start + (size - 1) * step < extent && start + (size - 1) * step >= 0;
      op.starts.push_back(size == extent ? 0 : start);
      op.extents.push_back(size == extent || fits ? size : 1);
      op.steps.push_back(step);
    }
    ExpectOperatorComputes(op, {{shape, RandomType(rng)}});
  }
  ExpectOperatorComputes(Slice{{0, 4, 1}, {2, 3, 3}, {1, -2, 1}},
                         {{{2, 5, 4}}});
}

TEST(MovementPipelineTest, Expansions) {
  Rng rng(4);
  for (int i = 0; i < 12; ++i) {
    const Shape shape = RandomShape(rng, 0, 5);
    Shape input;
    for (const int64_t extent : shape)
      input.push_back(rng.Chance(0.5) ? 1 : extent);
    if (rng.Chance(0.3) && !input.empty()) input.erase(input.begin());
    ExpectOperatorComputes(Expand{shape}, {{input, RandomType(rng)}});
  }
}

TEST(MovementPipelineTest, Pads) {
  Rng rng(5);
  for (const std::string mode : {"constant", "reflect", "edge", "wrap"}) {
    for (int i = 0; i < 6; ++i) {
      const Shape shape = RandomShape(rng, 0, 5);
      Pad op{.mode = mode, .value = 1};
      for (const int64_t extent : shape) {
        const int64_t highest = mode == "reflect" ? extent - 1 : 2;
        op.before.push_back(rng.Chance(0.5) ? 0 : rng.Uniform(0, highest));
        op.after.push_back(rng.Chance(0.5) ? 0 : rng.Uniform(0, highest));
      }
      ExpectOperatorComputes(op, {{shape, RandomType(rng)}});
    }
  }
}

TEST(MovementPipelineTest, Gathers) {
  Rng rng(6);
  for (int i = 0; i < 12; ++i) {
    const Shape data = RandomShape(rng, 1, 4);
    const Operand indices = {RandomShape(rng, 0, 2), DataType::kInt64};
    const int64_t axis = rng.Uniform(0, static_cast<int64_t>(data.size()) - 1);
    ExpectOperatorComputes(Gather{axis}, {{data, RandomType(rng)}, indices});
  }
}

TEST(MovementPipelineTest, GathersOfElements) {
  Rng rng(7);
  for (int i = 0; i < 12; ++i) {
    const Shape data = RandomShape(rng, 1, 5);
    const int64_t axis = rng.Uniform(0, static_cast<int64_t>(data.size()) - 1);
    Shape indices = data;
    for (int64_t& extent : indices)
      extent = rng.Chance(0.6) ? extent : rng.Uniform(1, extent);
    indices[axis] = rng.Uniform(1, 6);
    ExpectOperatorComputes(GatherElements{axis}, {{data, RandomType(rng)},
                                                  {indices, DataType::kInt64}});
  }
}

TEST(MovementPipelineTest, GathersOfTuples) {
  Rng rng(8);
  for (int i = 0; i < 12; ++i) {
    const Shape data = RandomShape(rng, 1, 5);
    const auto rank = static_cast<int64_t>(data.size());
    const int64_t batch_dims = rng.Uniform(0, rank - 1);
    Shape indices(data.begin(), data.begin() + batch_dims);
    if (rng.Chance(0.7)) indices.push_back(rng.Uniform(1, 4));
    indices.push_back(rng.Uniform(1, rank - batch_dims));
    ExpectOperatorComputes(GatherNd{batch_dims}, {{data, RandomType(rng)},
                                                  {indices, DataType::kInt64}});
  }
}

}  // namespace
}  // namespace pruner
