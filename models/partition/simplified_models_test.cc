// What simplification makes of the zoo's networks, which is what is
// partitioned.
#include "gtest/gtest.h"
#include "models/rewrite/simplify.h"
#include "models/rewrite/testing.h"
#include "models/zoo/mobilenet_v2.h"
#include "models/zoo/resnet.h"
#include "models/zoo/tiny.h"

namespace pruner {
namespace {

TEST(SimplifiedModelsTest, Tiny) {
  const absl::StatusOr<OperatorGraph> graph = Tiny({.seed = 1});
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<OperatorGraph> simple = Simplify(*graph);
  ASSERT_TRUE(simple.ok()) << simple.status();
  ExpectEquivalent(*graph, *simple);
  EXPECT_EQ(CountNodes<BatchNorm>(*simple), 0);
}

TEST(SimplifiedModelsTest, Resnet50) {
  // Small images: the layers are all there, at a fiftieth of the work.
  const absl::StatusOr<OperatorGraph> graph = Resnet50({.seed = 1}, 32);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<OperatorGraph> simple = Simplify(*graph);
  ASSERT_TRUE(simple.ok()) << simple.status();
  ExpectEquivalent(*graph, *simple);
  EXPECT_EQ(CountNodes<Conv2d>(*simple), 53);
  EXPECT_EQ(CountNodes<BatchNorm>(*simple), 0);
  // One behind each convolution and one behind the classifier.
  EXPECT_EQ(CountNodes<BiasAdd>(*simple), 54);
  EXPECT_EQ(CountNodes<Add>(*simple), 16);
  EXPECT_EQ(CountNodes<Relu>(*simple), 49);
  EXPECT_EQ(simple->nodes.size(), 53u + 54 + 16 + 49 + 4);
}

TEST(SimplifiedModelsTest, MobilenetV2) {
  const absl::StatusOr<OperatorGraph> graph = MobilenetV2({.seed = 1}, 32);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<OperatorGraph> simple = Simplify(*graph);
  ASSERT_TRUE(simple.ok()) << simple.status();
  ExpectEquivalent(*graph, *simple);
  EXPECT_EQ(CountNodes<BatchNorm>(*simple), 0);
  EXPECT_EQ(CountNodes<BiasAdd>(*simple), 53);
  EXPECT_EQ(CountNodes<Relu6>(*simple), 35);
  EXPECT_EQ(simple->nodes.size(), 52u + 53 + 35 + 10 + 3);
}

}  // namespace
}  // namespace pruner
