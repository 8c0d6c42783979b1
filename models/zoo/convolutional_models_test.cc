// Convolutional networks against what is published of them.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "models/zoo/dcgan.h"
#include "models/zoo/deeplab_v3.h"
#include "models/zoo/densenet.h"
#include "models/zoo/inception_v3.h"
#include "models/zoo/resnet3d.h"
#include "models/zoo/testing.h"

namespace pruner {
namespace {

struct KnownModel {
  std::string name;
  absl::StatusOr<OperatorGraph> (*build)(const ModelOptions&);
  Shape input, output;
  int64_t parameters;
  double multiply_adds;
  double tolerance;  // of multiply_adds, by their last digit
};

class KnownModelTest : public testing::TestWithParam<KnownModel> {};

// Parameters and multiply-adds of torchvision; those of DeepLabv3 less what its
// auxiliary classifier has, and in proportion to the pixels, as below. DCGAN's
// parameters are those of PyTorch's example, its multiply-adds what the kernels
// have for each pixel of their inputs.
INSTANTIATE_TEST_SUITE_P(
    Models, KnownModelTest,
    testing::Values(KnownModel{.name = "dcgan",
                               .build = &Dcgan,
                               .input = {1, 1, 1, 100},
                               .output = {1, 64, 64, 3},
                               .parameters = 3576704,
                               .multiply_adds = 0.1046e9,
                               .tolerance = 0.0001e9},
                    KnownModel{.name = "deeplabv3_resnet50",
                               .build = &DeeplabV3Resnet50,
                               .input = {1, 224, 224, 3},
                               .output = {1, 224, 224, 21},
                               .parameters = 39638869,
                               .multiply_adds = 31.31e9,
                               .tolerance = 0.01e9},
                    KnownModel{.name = "densenet121",
                               .build = &Densenet121,
                               .input = {1, 224, 224, 3},
                               .output = {1, 1000},
                               .parameters = 7978856,
                               .multiply_adds = 2.834e9,
                               .tolerance = 0.001e9},
                    KnownModel{.name = "inception_v3",
                               .build = &InceptionV3,
                               .input = {1, 299, 299, 3},
                               .output = {1, 1000},
                               .parameters = 23834568,
                               .multiply_adds = 5.713e9,
                               .tolerance = 0.001e9},
                    KnownModel{.name = "resnet3d_18",
                               .build = &Resnet3d18,
                               .input = {1, 16, 112, 112, 3},
                               .output = {1, 400},
                               .parameters = 33371472,
                               .multiply_adds = 40.697e9,
                               .tolerance = 0.001e9}),
    [](const auto& info) { return info.param.name; });

TEST_P(KnownModelTest, HasTheKnownSize) {
  const KnownModel& known = GetParam();
  const absl::StatusOr<OperatorGraph> graph = known.build({});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->ShapeOf(graph->inputs[0]), known.input);
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), known.output);
  EXPECT_EQ(CountParameters(*graph), known.parameters);
  EXPECT_NEAR(CountMultiplyAdds(*graph), known.multiply_adds, known.tolerance);
}

// torchvision counts both with the auxiliary classifier, which reads the last
// stage but one: 3x3 to 256 channels, a norm, 1x1 to the classes.
TEST(DeeplabV3Resnet50Test, HasTheKnownSizeWithTheAuxiliaryClassifier) {
  const absl::StatusOr<OperatorGraph> graph = DeeplabV3Resnet50({}, 520);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), (Shape{1, 520, 520, 21}));
  constexpr int64_t kAuxiliary = 1024 * 256 * 9 + 256 * 21;
  EXPECT_EQ(CountParameters(*graph) + kAuxiliary + 2 * 256 + 21, 42004074);
  EXPECT_NEAR(CountMultiplyAdds(*graph) + 65.0 * 65 * kAuxiliary, 178.722e9,
              0.001e9);
}

// Of sizes that the interpreter takes no time for.
struct SmallModel {
  std::string name;
  absl::StatusOr<OperatorGraph> (*build)(const ModelOptions&);
};

class ActivationsTest : public testing::TestWithParam<SmallModel> {};

INSTANTIATE_TEST_SUITE_P(
    Models, ActivationsTest,
    testing::Values(SmallModel{"dcgan", &Dcgan},
                    SmallModel{"deeplabv3_resnet50",
                               [](const ModelOptions& options) {
                                 return DeeplabV3Resnet50(options, 64);
                               }},
                    SmallModel{"densenet121",
                               [](const ModelOptions& options) {
                                 return Densenet121(options, 64);
                               }},
                    SmallModel{"inception_v3",
                               [](const ModelOptions& options) {
                                 return InceptionV3(options, 107);
                               }},
                    SmallModel{"resnet3d_18",
                               [](const ModelOptions& options) {
                                 return Resnet3d18(options, 4, 32);
                               }}),
    [](const auto& info) { return info.param.name; });

TEST_P(ActivationsTest, StayInRange) {
  const absl::StatusOr<OperatorGraph> graph = GetParam().build({.seed = 3});
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectActivationsInRange(*graph);
}

}  // namespace
}  // namespace pruner
