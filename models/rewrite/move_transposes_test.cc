#include "models/rewrite/move_transposes.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/graph/graph_text.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

const std::vector<int64_t> kToLast = {0, 2, 3, 1};
const std::vector<int64_t> kToFirst = {0, 3, 1, 2};

OperatorGraph Moved(GraphBuilder b) {
  const OperatorGraph graph = *std::move(b).Build();
  const absl::StatusOr<OperatorGraph> moved = MoveTransposes(graph);
  EXPECT_TRUE(moved.ok()) << moved.status();
  ExpectEquivalent(graph, *moved);
  // Nothing is left to do.
  EXPECT_EQ(PrintGraph(*MoveTransposes(*moved)), PrintGraph(*moved));
  return *moved;
}

// A convolution of images {N, C, H, W}.
TensorId Convolution(GraphBuilder& b, const std::string& name, TensorId x) {
  const int64_t channels = b.ShapeOf(x)[1];
  const TensorId w = b.Constant(name + ".w", {1, 1, channels, channels},
                                {RandomValues{.low = -1}});
  TensorId y = b.Apply(name + ".in", Transpose{kToLast}, {x});
  y = b.Conv2d(name, y, w);
  return b.Apply(name + ".out", Transpose{kToFirst}, {y});
}

TEST(MoveTransposesTest, ConvolutionsReadImagesOfFewColoursAsTheyAre) {
  for (const auto& [channels, left] : {std::pair<int64_t, int>{3, 1}, {8, 2}}) {
    GraphBuilder b("net");
    const TensorId x = b.Input("x", {2, channels, 3, 5});
    b.Output(b.Relu("relu", Convolution(b, "a", x)));
    EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), left);
  }
  // The other reader has the transposed one.
  GraphBuilder b("net");
  const TensorId x =
      b.Apply("t", Transpose{kToLast}, {b.Input("x", {1, 3, 4, 5})});
  const TensorId w = b.Constant("w", {1, 1, 3, 8}, {RandomValues{.low = -1}});
  b.Output(b.Conv2d("conv", x, w));
  b.Output(b.MaxPool2d("pool", x, {.kernel = {2, 2}}));
  EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), 1);
}

TEST(MoveTransposesTest, ImagesAreTransposedOnceInAndOut) {
  GraphBuilder b("net");
  TensorId x = b.Input("x", {2, 5, 3, 5});
  x = b.Relu("relu", Convolution(b, "a", x));
  const TensorId y = Convolution(b, "b", x);
  x = b.Add("sum", y, x);
  x = b.Apply("scaled", Mul{},
              {b.Constant("scale", {5, 1, 1}, {RandomValues{}}), x});
  x = b.Apply("map", Mul{}, {x, b.Constant("m", {3, 5}, {RandomValues{}})});
  x = b.Apply("half", Mul{}, {x, b.Constant("h", {}, {RandomValues{}})});
  x = b.Apply("both", Concat{1}, {Convolution(b, "c", x), x});
  x = b.Apply("padded", Pad{.before = {0, 1, 2, 0}, .after = {0, 0, 0, 3}},
              {x});
  b.Output(b.Apply("y", Softmax{1}, {x}));
  const OperatorGraph moved = Moved(std::move(b));
  EXPECT_EQ(CountNodes<Transpose>(moved), 2);
}

TEST(MoveTransposesTest, ReductionsLoseDimensionsAndOutputsKeepTheirs) {
  for (const bool keepdims : {false, true}) {
    GraphBuilder b("net");
    const TensorId x =
        b.Apply("t", Transpose{{2, 0, 1}}, {b.Input("x", {2, 3, 4})});
    b.Output(b.Apply(
        "y", Reduce{.kind = "mean", .axes = {1}, .keepdims = keepdims}, {x}));
    b.Output(b.Relu("z", x));
    EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), 2);
  }
}

TEST(MoveTransposesTest, WhatMovesExtentsOf1IsAView) {
  GraphBuilder b("net");
  TensorId x = b.GlobalAvgPool("pool", b.Input("x", {2, 3, 4, 5}));
  x = b.Apply("first", Transpose{kToFirst}, {x});
  b.Output(b.Reshape("y", x, {2, 5}));
  EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), 0);
}

TEST(MoveTransposesTest, ProductsTransposeTheirOperands) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 3, 4});
  const TensorId t = b.Apply("t", Transpose{{0, 2, 1}}, {x});
  b.Output(b.Apply("y", MatMul{}, {x, t}));
  b.Output(b.Apply("z", MatMul{.transpose_left = true}, {t, t}));
  const OperatorGraph moved = Moved(std::move(b));
  EXPECT_EQ(CountNodes<Transpose>(moved), 0);
}

TEST(MoveTransposesTest, OthersReadTransposedTensors) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {4, 6});
  const TensorId t = b.Apply("t", Transpose{{1, 0}}, {x});
  b.Output(b.Dense("y", t, b.Constant("w", {4, 3}, {RandomValues{}})));
  b.Output(b.Reshape("z", t, {8, 3}));
  b.Output(b.Add("sum", t, b.Input("other", {6, 4})));
  EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), 1);
}

TEST(MoveTransposesTest, CancelledTransposesOfInputsAndOutputs) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 3, 4});
  const TensorId t = b.Apply("t", Transpose{{1, 2, 0}}, {x});
  b.Output(b.Apply("y", Transpose{{2, 0, 1}}, {t}));
  b.Output(t);
  EXPECT_EQ(CountNodes<Transpose>(Moved(std::move(b))), 1);
}

}  // namespace
}  // namespace pruner
