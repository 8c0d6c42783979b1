#include "models/rewrite/simplify.h"

#include <utility>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/remove_dead.h"
#include "models/rewrite/remove_identity.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

OperatorGraph Built(GraphBuilder builder) {
  absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(RemoveDeadTest, KeepsWhatOutputsNeedAndAllInputs) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 2});
  b.Input("unused", {3});
  const TensorId w = b.Constant("w", {2, 2}, {RandomValues{}});
  const TensorId dead_w = b.Constant("dead_w", {2, 2}, {RandomValues{}});
  const TensorId y = b.Dense("y", x, w);
  b.Relu("dead2", b.Dense("dead1", y, dead_w));
  b.Output(y);
  const OperatorGraph graph = Built(std::move(b));
  const absl::StatusOr<OperatorGraph> live = RemoveDead(graph);
  ASSERT_TRUE(live.ok()) << live.status();
  ExpectEquivalent(graph, *live);
  EXPECT_EQ(live->nodes.size(), 1u);
  EXPECT_EQ(live->constants.size(), 1u);
  EXPECT_EQ(live->inputs.size(), 2u);
}

TEST(RemoveIdentityTest, ReadersSkipIt) {
  GraphBuilder b("net");
  const TensorId x = b.Identity("x2", b.Identity("x1", b.Input("x", {1, 2})));
  b.Output(b.Relu("y", b.Reshape("same", x, {1, 2})));
  const OperatorGraph graph = Built(std::move(b));
  const absl::StatusOr<OperatorGraph> removed = RemoveIdentity(graph);
  ASSERT_TRUE(removed.ok()) << removed.status();
  ExpectEquivalent(graph, *removed);
  EXPECT_EQ(removed->nodes.size(), 1u);
}

TEST(RemoveIdentityTest, OutputsKeepTheirNames) {
  GraphBuilder b("net");
  const TensorId y = b.Relu("y", b.Input("x", {1, 2}));
  b.Output(b.Identity("out", b.Identity("between", y)));
  const OperatorGraph graph = Built(std::move(b));
  const absl::StatusOr<OperatorGraph> removed = RemoveIdentity(graph);
  ASSERT_TRUE(removed.ok()) << removed.status();
  ExpectEquivalent(graph, *removed);
  ASSERT_EQ(removed->nodes.size(), 1u);
  EXPECT_EQ(removed->NameOf(removed->nodes[0]), "out");
}

TEST(RemoveIdentityTest, StaysWhereAnOutputHasNoOtherNode) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 2});
  const TensorId y = b.Relu("y", x);
  b.Output(b.Identity("x_out", x));
  b.Output(y);
  b.Output(b.Identity("y_again", y));
  const OperatorGraph graph = Built(std::move(b));
  const absl::StatusOr<OperatorGraph> removed = RemoveIdentity(graph);
  ASSERT_TRUE(removed.ok()) << removed.status();
  ExpectEquivalent(graph, *removed);
  EXPECT_EQ(removed->nodes.size(), 3u);
}

TEST(SimplifyTest, OnePassMakesWorkForAnother) {
  // The identity hides the batch norm from the convolution; a dead reader of
  // the convolution keeps it from folding.
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 3, 3, 2});
  const TensorId w = b.Constant("w", {1, 1, 2, 2}, {RandomValues{.low = 0.5}});
  const TensorId one =
      b.Constant("one", {2}, {RandomValues{.seed = 1, .low = 0.5}});
  const TensorId conv = b.Conv2d("conv", x, w);
  b.Relu("dead", conv);
  const TensorId between = b.Identity("between", conv);
  const TensorId norm = b.BatchNorm("norm1", between, one, one, one, one);
  b.Output(b.BatchNorm("norm2", norm, one, one, one, one));
  const OperatorGraph graph = Built(std::move(b));
  const absl::StatusOr<OperatorGraph> simple = Simplify(graph);
  ASSERT_TRUE(simple.ok()) << simple.status();
  ExpectEquivalent(graph, *simple);
  EXPECT_EQ(simple->nodes.size(), 2u);
  EXPECT_EQ(CountNodes<BatchNorm>(*simple), 0);
}

TEST(SimplifyTest, ASimpleGraphStaysAsItIs) {
  GraphBuilder b("net");
  const TensorId c = b.Constant("c", {2}, {RandomValues{}});
  const TensorId w = b.Constant("w", {1, 1, 2, 2}, {RandomValues{}});
  const TensorId x = b.Input("x", {1, 3, 3, 2});
  const TensorId normed =
      b.BatchNorm("norm", b.Conv2d("conv", x, w), c, c, c, c);
  b.Output(b.Reshape("view", b.Add("sum", normed, x), {18}));
  const absl::StatusOr<OperatorGraph> once = Simplify(Built(std::move(b)));
  ASSERT_TRUE(once.ok()) << once.status();
  EXPECT_EQ(*once, *Simplify(*once));
  for (const RewritePass& pass : SimplificationPasses()) {
    EXPECT_EQ(*once, *pass.run(*once)) << pass.name;
  }
}

}  // namespace
}  // namespace pruner
