// Transformers: their sizes, and that their activations stay in range.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"
#include "models/operators/operators.h"
#include "models/zoo/bert.h"
#include "models/zoo/detr.h"
#include "models/zoo/options.h"
#include "models/zoo/testing.h"
#include "models/zoo/vit.h"

namespace pruner {
namespace {

using Build = absl::StatusOr<OperatorGraph>(const ModelOptions&);
using BuildOfSize = absl::StatusOr<OperatorGraph>(const ModelOptions&, int64_t);

struct KnownModel {
  std::string name;
  Build* build;
  int64_t parameters;
  int64_t unread_parameters;  // which the graph lacks
  double multiply_adds;
  int mat_muls;
  std::vector<Shape> outputs;
};

constexpr int64_t kUnreadRows = 512 - 128 + 1;  // of positions and segments

class TransformerSizeTest : public testing::TestWithParam<KnownModel> {};

// Parameters as transformers, torchvision, vit-pytorch and DETR's authors have
// them. Torchvision has 17.56e9 multiply-adds as well; for BERT Sun et al.
// (2020) give 22.5e9 operations.
INSTANTIATE_TEST_SUITE_P(
    Models, TransformerSizeTest,
    testing::Values(
        KnownModel{"bert_base",
                   &BertBase,
                   109482240,
                   kUnreadRows * 768,
                   11.1742e9,
                   24,
                   {{1, 128, 768}, {1, 768}}},
        KnownModel{"bert_tiny",
                   &BertTiny,
                   35068416,
                   kUnreadRows * 512,
                   2.5168e9,
                   12,
                   {{1, 128, 512}, {1, 512}}},
        KnownModel{"bert_tiny_2l",
                   &BertTiny2Layers,
                   4385920,
                   kUnreadRows * 128,
                   0.0587e9,
                   4,
                   {{1, 128, 128}, {1, 128}}},
        KnownModel{
            "vit_b_16", &VitB16, 86567656, 0, 17.5638e9, 24, {{1, 1000}}},
        KnownModel{"vit", &Vit, 54630376, 0, 3.5258e9, 12, {{1, 1000}}},
        KnownModel{"detr_resnet50",
                   &DetrResnet50,
                   41524768 + 2 * 26560,  // its batch norms are frozen
                   0,
                   6.8691e9,
                   36,
                   {{1, 100, 92}, {1, 100, 4}}}),
    [](const auto& info) { return info.param.name; });

TEST_P(TransformerSizeTest, HasTheKnownSize) {
  const KnownModel& known = GetParam();
  const absl::StatusOr<OperatorGraph> graph = known.build({});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(CountParameters(*graph) + known.unread_parameters,
            known.parameters);
  EXPECT_NEAR(CountMultiplyAdds(*graph), known.multiply_adds, 0.0001e9);
  int mat_muls = 0;
  for (const Node& node : graph->nodes)
    mat_muls += std::holds_alternative<MatMul>(node.op) ? 1 : 0;
  EXPECT_EQ(mat_muls, known.mat_muls);
  std::vector<Shape> outputs;
  for (const TensorId output : graph->outputs)
    outputs.push_back(graph->ShapeOf(output));
  EXPECT_EQ(outputs, known.outputs);
}

struct SmallModel {
  std::string name;
  BuildOfSize* build;
  int64_t size;
};

class TransformerActivationsTest : public testing::TestWithParam<SmallModel> {};

INSTANTIATE_TEST_SUITE_P(
    Models, TransformerActivationsTest,
    testing::Values(SmallModel{"bert_base", &BertBase, 16},
                    SmallModel{"bert_tiny", &BertTiny, 16},
                    SmallModel{"bert_tiny_2l", &BertTiny2Layers, 128},
                    SmallModel{"vit_b_16", &VitB16, 64},
                    SmallModel{"vit", &Vit, 128},
                    SmallModel{"detr_resnet50", &DetrResnet50, 96}),
    [](const auto& info) { return info.param.name; });

TEST_P(TransformerActivationsTest, StayInRange) {
  const SmallModel& model = GetParam();
  const absl::StatusOr<OperatorGraph> graph =
      model.build({.seed = 3}, model.size);
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectActivationsInRange(*graph);
}

// Of batches of 1.
Array Together(const Array& first, const Array& second) {
  Array both = first;
  both.shape[0] = 2;
  both.values.insert(both.values.end(), second.values.begin(),
                     second.values.end());
  return both;
}

// One, from 0, of a batch of 2.
Array Of(const Array& both, int index) {
  Array one = {both.shape, {}};
  one.shape[0] = 1;
  const auto begin = both.values.begin() + index * NumElements(one.shape);
  one.values.assign(begin, begin + NumElements(one.shape));
  return one;
}

TEST_P(TransformerActivationsTest, DoNotMixWithinABatch) {
  const SmallModel& model = GetParam();
  const absl::StatusOr<OperatorGraph> one =
      model.build({.seed = 3}, model.size);
  ASSERT_TRUE(one.ok()) << one.status();
  const absl::StatusOr<OperatorGraph> two =
      model.build({.batch = 2, .seed = 3}, model.size);
  ASSERT_TRUE(two.ok()) << two.status();
  const Array input = RandomInputs(*one, 1)[0];
  const Array another = RandomInputs(*one, 2)[0];
  const auto alone = RunGraph(*one, {input}, {.threads = 2});
  ASSERT_TRUE(alone.ok()) << alone.status();
  const auto together =
      RunGraph(*two, {Together(another, input)}, {.threads = 2});
  ASSERT_TRUE(together.ok()) << together.status();
  for (size_t i = 0; i < alone->size(); ++i) {
    EXPECT_GT(RelativeDifference(Of((*together)[i], 0), (*alone)[i]), 0.001);
    EXPECT_LT(RelativeDifference(Of((*together)[i], 1), (*alone)[i]), 1e-9);
  }
}

}  // namespace
}  // namespace pruner
