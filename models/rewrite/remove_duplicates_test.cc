#include "models/rewrite/remove_duplicates.h"

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

TEST(RemoveDuplicatesTest, EqualOperatorsOfEqualOperandsAreOne) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 3});
  const TensorId left = b.Relu("r2", b.Relu("r1", x));
  const TensorId right = b.Relu("s2", b.Relu("s1", x));
  const TensorId other = b.Apply("clip", Clip{}, {x});
  const TensorId same = b.Apply("other clip", Clip{.low = -2}, {x});
  b.Output(b.Add("y", b.Add("sum", left, right), b.Add("sum2", other, same)));
  b.Output(right);
  const OperatorGraph graph = *std::move(b).Build();
  const absl::StatusOr<OperatorGraph> smaller = RemoveDuplicates(graph);
  ASSERT_TRUE(smaller.ok()) << smaller.status();
  ExpectEquivalent(graph, *smaller);
  // The outer one on the right is an output.
  EXPECT_EQ(CountNodes<Relu>(*smaller), 3);
  EXPECT_EQ(CountNodes<Clip>(*smaller), 2);
}

}  // namespace
}  // namespace pruner
