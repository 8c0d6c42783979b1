#include "models/rewrite/move_reshapes.h"

#include <utility>
#include <variant>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/simplify.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

OperatorGraph Build(GraphBuilder&& builder) {
  absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

// Moves and checks that the result is equivalent.
OperatorGraph Moved(const OperatorGraph& graph) {
  absl::StatusOr<OperatorGraph> moved = MoveReshapes(graph);
  EXPECT_TRUE(moved.ok()) << moved.status();
  ExpectEquivalent(graph, *moved);
  return *std::move(moved);
}

TensorId Scale(GraphBuilder& b, const Shape& shape) {
  return b.Constant("scale", shape, {MakeExplicit({0.125})});
}

TEST(MoveReshapesTest, WhatIsDoneToEachElementComesFirst) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1, 1, 1}}) {
    GraphBuilder b("net");
    const TensorId heads =
        b.Reshape("heads", b.Input("x", {6, 8}), {1, 6, 2, 4});
    b.Output(b.Apply("scaled", Mul{}, {heads, Scale(b, shape)}));
    const OperatorGraph moved = Moved(Build(std::move(b)));
    ASSERT_EQ(moved.nodes.size(), 2);
    EXPECT_TRUE(std::holds_alternative<Mul>(moved.nodes[0].op));
    EXPECT_EQ(moved.ShapeOf(moved.nodes[0].output), (Shape{6, 8}));
    EXPECT_EQ(moved.NameOf(moved.nodes[1]), "scaled");
  }
}

TEST(MoveReshapesTest, OneAfterAnother) {
  GraphBuilder b("net");
  TensorId x = b.Reshape("flat", b.Input("x", {6, 8}), {48});
  x = b.Apply("difference", Sub{}, {Scale(b, {1}), x});
  x = b.Relu("relu", x);
  b.Output(b.Reshape("rows", x, {8, 6}));
  const OperatorGraph graph = Build(std::move(b));
  const absl::StatusOr<OperatorGraph> simple = Simplify(graph);
  ASSERT_TRUE(simple.ok()) << simple.status();
  ExpectEquivalent(graph, *simple);
  ASSERT_GE(simple->nodes.size(), 3);
  EXPECT_TRUE(std::holds_alternative<Sub>(simple->nodes[0].op));
  EXPECT_TRUE(std::holds_alternative<Relu>(simple->nodes[1].op));
}

TEST(MoveReshapesTest, NotWhereOthersReadIt) {
  GraphBuilder b("net");
  const TensorId flat = b.Reshape("flat", b.Input("x", {6, 8}), {48});
  b.Output(b.Relu("relu", flat));
  b.Output(b.Apply("scaled", Mul{}, {flat, Scale(b, {})}));
  const OperatorGraph graph = Build(std::move(b));
  EXPECT_EQ(Moved(graph), graph);
}

TEST(MoveReshapesTest, NotWhereShapesMatter) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {6, 8}), y = b.Input("y", {48}),
                 z = b.Input("z", {6}), w = b.Input("w", {6});
  b.Output(b.Apply("both", Mul{}, {b.Reshape("flat", x, {48}), y}));
  const TensorId column = b.Reshape("column", z, {6});
  b.Output(b.Apply("wide", Mul{}, {column, Scale(b, {1, 1})}));
  const TensorId out = b.Reshape("out", w, {2, 3});
  b.Output(out);
  b.Output(b.Relu("relu", out));
  const OperatorGraph graph = Build(std::move(b));
  EXPECT_EQ(Moved(graph), graph);
}

}  // namespace
}  // namespace pruner
