#include "models/zoo/zoo.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_text.h"
#include "models/graph/interpreter.h"
#include "models/zoo/csrnet.h"
#include "models/zoo/mobilenet_v2.h"
#include "models/zoo/resnet.h"
#include "models/zoo/testing.h"
#include "models/zoo/tiny.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

template <typename Kind>
int Count(const OperatorGraph& graph) {
  int count = 0;
  for (const Node& node : graph.nodes) {
    count += std::holds_alternative<Kind>(node.op) ? 1 : 0;
  }
  return count;
}

// As torchvision counts them.
struct KnownModel {
  std::string name;
  int convolutions, sums;
  double products;  // of convolutions and the classifier
  int64_t parameters;
};

class KnownModelTest : public testing::TestWithParam<KnownModel> {};

INSTANTIATE_TEST_SUITE_P(
    Models, KnownModelTest,
    testing::Values(KnownModel{"mobilenet_v2", 52, 10, 0.3008e9, 3504872},
                    KnownModel{"resnet18", 20, 8, 1.8141e9, 11689512},
                    KnownModel{"resnet50", 53, 16, 4.0892e9, 25557032},
                    KnownModel{"wide_resnet50_2", 53, 16, 11.3980e9, 68883240}),
    [](const auto& info) { return info.param.name; });

TEST_P(KnownModelTest, HasTheKnownSize) {
  const KnownModel& known = GetParam();
  const absl::StatusOr<OperatorGraph> graph = LoadModel(known.name, {});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(Count<Conv2d>(*graph), known.convolutions);
  EXPECT_EQ(Count<BatchNorm>(*graph), known.convolutions);
  EXPECT_EQ(Count<Add>(*graph), known.sums);
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), (Shape{1, 1000}));
  const double products = CountMultiplyAdds(*graph);
  EXPECT_NEAR(products, known.products, 0.0001e9);
  // The rest is a few percent, of small networks more.
  EXPECT_GT(GraphFlops(*graph), 2 * products);
  EXPECT_LT(GraphFlops(*graph), 2.12 * products);
  EXPECT_EQ(CountParameters(*graph), known.parameters);
}

// Parameters as its authors' code has them.
TEST(CsrnetTest, HasTheKnownSize) {
  const absl::StatusOr<OperatorGraph> graph = LoadModel("csrnet", {});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(Count<Conv2d>(*graph), 17);
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), (Shape{1, 14, 14, 1}));
  EXPECT_NEAR(CountMultiplyAdds(*graph), 15.650e9, 0.001e9);
  EXPECT_EQ(CountParameters(*graph), 16263489);
}

struct SmallModel {
  std::string name;
  absl::StatusOr<OperatorGraph> (*build)(const ModelOptions&, int64_t);
};

class ActivationsTest : public testing::TestWithParam<SmallModel> {};

INSTANTIATE_TEST_SUITE_P(
    Models, ActivationsTest,
    testing::Values(SmallModel{"csrnet", &Csrnet},
                    SmallModel{"mobilenet_v2", &MobilenetV2},
                    SmallModel{"resnet18", &Resnet18},
                    SmallModel{"resnet50", &Resnet50},
                    SmallModel{"wide_resnet50_2", &WideResnet50x2}),
    [](const auto& info) { return info.param.name; });

TEST_P(ActivationsTest, StayInRange) {
  const absl::StatusOr<OperatorGraph> graph = GetParam().build({.seed = 3}, 64);
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectActivationsInRange(*graph);
}

TEST(TinyTest, IsSmallAndGivesProbabilities) {
  const absl::StatusOr<OperatorGraph> graph = Tiny({.batch = 2, .seed = 1});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_LT(GraphFlops(*graph), 2e6);
  const absl::StatusOr<std::vector<Array>> outputs =
      RunGraph(*graph, RandomInputs(*graph, 1));
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  const Array& probabilities = (*outputs)[0];
  ASSERT_EQ(probabilities.shape, (Shape{2, 10}));
  for (int row = 0; row < 2; ++row) {
    double sum = 0;
    for (int i = 0; i < 10; ++i) {
      // Neither certain nor constant.
      EXPECT_LT(probabilities.values[row * 10 + i], 0.99);
      sum += probabilities.values[row * 10 + i];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

class ZooTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(AllModels, ZooTest, testing::ValuesIn(KnownModels()));

TEST_P(ZooTest, IsValidAndReproducible) {
  const absl::StatusOr<OperatorGraph> graph =
      LoadModel(GetParam(), {.seed = 5});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_TRUE(Validate(*graph).ok()) << Validate(*graph);
  EXPECT_EQ(*graph, *LoadModel(GetParam(), {.seed = 5}));
  const absl::StatusOr<OperatorGraph> other =
      LoadModel(GetParam(), {.seed = 6});
  EXPECT_NE(*graph, *other);
  EXPECT_EQ(StructureHash(*graph), StructureHash(*other));
}

TEST_P(ZooTest, TakesABatch) {
  const absl::StatusOr<OperatorGraph> graph =
      LoadModel(GetParam(), {.batch = 4});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->ShapeOf(graph->inputs[0])[0], 4);
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0])[0], 4);
  EXPECT_FALSE(LoadModel(GetParam(), {.batch = 0}).ok());
}

TEST_P(ZooTest, IsTheSameFromAFile) {
  const absl::StatusOr<TempDirectory> directory = TempDirectory::Create();
  ASSERT_TRUE(directory.ok()) << directory.status();
  const std::string path = directory->path() + "/model.txtpb";
  const absl::StatusOr<OperatorGraph> graph = LoadModel(GetParam(), {});
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::string text = PrintGraph(*graph);
  ASSERT_TRUE(WriteFileAtomically(path, text).ok());
  const absl::StatusOr<OperatorGraph> loaded = LoadModel(path, {});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(PrintGraph(*loaded), text);
  EXPECT_THAT(LoadModel(path, {.batch = 2}).status().message(),
              testing::HasSubstr("whose inputs have their own"));
  ASSERT_TRUE(WriteFileAtomically(path, "nodes").ok());
  EXPECT_THAT(
      LoadModel(path, {}).status().message(),
      testing::StartsWith("model file \"" + path +
                          "\": not the text of an operator graph: line 1"));
}

TEST(KnownModelsTest, AreSorted) {
  EXPECT_THAT(KnownModels(), testing::WhenSorted(testing::Eq(KnownModels())));
}

TEST(LoadModelTest, UnknownNameListsTheKnownOnes) {
  EXPECT_THAT(
      LoadModel("resnet", {}).status().message(),
      testing::HasSubstr(absl::StrCat("\"resnet\"; known are ",
                                      absl::StrJoin(KnownModels(), ", "))));
  EXPECT_THAT(LoadModel("/no/such.txtpb", {}).status().message(),
              testing::HasSubstr("/no/such.txtpb"));
}

TEST(LoadModelTest, RefusesFilesThatAreTooLarge) {
  const TempDirectory directory = TempDirectory::Create().value();
  const std::string path = directory.File("huge.txtpb");
  ASSERT_TRUE(WriteFileAtomically(path, "").ok());
  std::filesystem::resize_file(path, uint64_t{1} << 31);  // takes no disk
  EXPECT_THAT(LoadModel(path, {}).status().message(),
              testing::HasSubstr(path + ": it has more than 2147483647 bytes"));
}

}  // namespace
}  // namespace pruner
