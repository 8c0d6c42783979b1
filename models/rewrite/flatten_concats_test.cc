#include "models/rewrite/flatten_concats.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/rewrite/simplify.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

// Operators of what is left, and how many inputs each has.
std::vector<std::string> Simplified(GraphBuilder builder) {
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<OperatorGraph> simplified = Simplify(*graph);
  EXPECT_TRUE(simplified.ok()) << simplified.status();
  ExpectEquivalent(*graph, *simplified);
  std::vector<std::string> nodes;
  for (const Node& node : simplified->nodes) {
    nodes.push_back(
        absl::StrCat(KindOf(node.op).name, " ", node.inputs.size()));
  }
  return nodes;
}

TEST(FlattenConcatsTest, OneAlongTheSameAxis) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 2, 3});
  const TensorId y = b.Input("y", {1, 2, 4});
  const TensorId inner = b.Apply("inner", Concat{.axis = 2}, {y, x});
  const TensorId middle = b.Apply("middle", Concat{.axis = 2}, {inner, y});
  b.Output(b.Apply("outer", Concat{.axis = 2}, {x, middle, x}));
  EXPECT_THAT(Simplified(std::move(b)), ElementsAre("Concat 5"));
}

TEST(FlattenConcatsTest, NotThoseAlongOthersOrThatOthersRead) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 2, 3});
  const TensorId across = b.Apply("across", Concat{.axis = 1}, {x, x});
  const TensorId read = b.Apply("read", Concat{.axis = 2}, {across, across});
  const TensorId twice = b.Apply("twice", Concat{.axis = 2}, {across, read});
  b.Output(b.Apply("outer", Concat{.axis = 2}, {read, twice}));
  b.Output(b.Apply("again", Concat{.axis = 2}, {read, read}));
  EXPECT_THAT(Simplified(std::move(b)),
              ElementsAre("Concat 2", "Concat 2", "Concat 3", "Concat 2"));
}

}  // namespace
}  // namespace pruner
