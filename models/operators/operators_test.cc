#include "models/operators/operators.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

struct ShapeCase {
  Operator op;
  std::vector<Shape> inputs;
  Shape output;
  double flops;
};

TEST(OperatorsTest, InfersShapesAndCountsOperations) {
  const std::vector<ShapeCase> cases = {
      // (224 + 6 - 7) / 2 + 1 = 112.
      {Conv2d{.stride = {2, 2}, .padding = {3, 3, 3, 3}},
       {{1, 224, 224, 3}, {7, 7, 3, 64}},
       {1, 112, 112, 64},
       2.0 * 112 * 112 * 64 * 7 * 7 * 3},
      // Windows of 5 x 3 (dilation 2 in h): 8 + 1 - 5 + 1 = 5 rows,
      // (9 + 2 - 3) / 3 + 1 = 3 columns; 4 channels in 2 groups of 2.
      {Conv2d{.stride = {1, 3},
              .padding = {1, 2, 0, 0},
              .dilation = {2, 1},
              .groups = 2},
       {{2, 8, 9, 4}, {3, 3, 2, 6}},
       {2, 5, 3, 6},
       2.0 * 2 * 5 * 3 * 6 * 3 * 3 * 2},
      {Dense{}, {{5, 7, 32}, {32, 10}}, {5, 7, 10}, 2.0 * 5 * 7 * 32 * 10},
      {BatchNorm{}, {{2, 3, 4}, {4}, {4}, {4}, {4}}, {2, 3, 4}, 48},
      {BiasAdd{}, {{2, 3, 4}, {4}}, {2, 3, 4}, 24},
      {Relu{}, {{2, 3}}, {2, 3}, 6},
      {Relu6{}, {{2, 3}}, {2, 3}, 12},
      {Add{}, {{2, 3}, {2, 3}}, {2, 3}, 6},
      {Add{}, {{2, 1, 3}, {4, 1}}, {2, 4, 3}, 24},
      {LeakyRelu{}, {{2, 3}}, {2, 3}, 12},
      {Elu{}, {{2, 3}}, {2, 3}, 24},
      {Sigmoid{}, {{2, 3}}, {2, 3}, 24},
      {HardSigmoid{}, {{2, 3}}, {2, 3}, 24},
      {HardSwish{}, {{2, 3}}, {2, 3}, 30},
      {Silu{}, {{2, 3}}, {2, 3}, 24},
      {Tanh{}, {{2, 3}}, {2, 3}, 6},
      {Gelu{}, {{2, 3}}, {2, 3}, 24},
      {Softplus{}, {{2, 3}}, {2, 3}, 30},
      {Clip{}, {{2, 3}}, {2, 3}, 12},
      {MaxPool2d{.kernel = {3, 2}, .stride = {2, 2}, .padding = {1, 0, 1, 1}},
       {{1, 7, 8, 5}},
       {1, 4, 4, 5},
       4 * 4 * 5 * 6},
      {AvgPool2d{.kernel = {2, 2}, .stride = {1, 1}},
       {{1, 3, 3, 1}},
       {1, 2, 2, 1},
       4 * 4},
      {GlobalAvgPool{}, {{2, 7, 7, 8}}, {2, 1, 1, 8}, 2 * 7 * 7 * 8},
      {Reshape{{2, 8}}, {{2, 1, 1, 8}}, {2, 8}, 0},
      {Softmax{1}, {{2, 10}}, {2, 10}, 100},
      {Identity{}, {{3}}, {3}, 0},
  };
  for (const ShapeCase& test : cases) {
    SCOPED_TRACE(OperatorText(test.op));
    const absl::StatusOr<Shape> shape = InferShape(test.op, test.inputs);
    ASSERT_TRUE(shape.ok()) << shape.status();
    EXPECT_EQ(*shape, test.output);
    EXPECT_EQ(CountFlops(test.op, test.inputs, *shape), test.flops);
  }
}

struct ErrorCase {
  Operator op;
  std::vector<Shape> inputs;
  std::string message;
};

TEST(OperatorsTest, SaysWhatDoesNotFit) {
  const std::vector<ErrorCase> cases = {
      {Relu{}, {}, "takes 1 inputs, not 0"},
      {Conv2d{},
       {{8, 8, 3}, {1, 1, 3, 8}},
       "input must have 4 dimensions, not 3"},
      {Conv2d{},
       {{1, 8, 8, 3}, {3, 8}},
       "weights must have 4 dimensions, not 2"},
      {Conv2d{},
       {{1, 8, 8, 3}, {1, 1, 4, 8}},
       "input has 3 channels, weights expect 4 in each of 1 groups"},
      {Conv2d{.groups = 2},
       {{1, 8, 8, 4}, {1, 1, 2, 7}},
       "weights give 7 channels, which 2 groups do not divide"},
      {Conv2d{.stride = {0, 1}},
       {{1, 8, 8, 3}, {1, 1, 3, 8}},
       "stride.h = 0 is not between 1 and 1073741824"},
      {Conv2d{.padding = {0, -1, 0, 0}},
       {{1, 8, 8, 3}, {1, 1, 3, 8}},
       "padding.left = -1 is not between 0 and 1073741824"},
      {Conv2d{.dilation = {1, 4}},
       {{1, 8, 8, 3}, {3, 3, 3, 8}},
       "a window of 9 does not fit dimension W of extent 8 and padding 0"},
      {Dense{},
       {{1, 8}, {9, 4}},
       "input's innermost extent 8 differs from weights' first extent 9"},
      {Dense{}, {{8}, {8, 4}}, "input must have at least 2 dimensions"},
      {BatchNorm{},
       {{1, 4}, {4}, {4}, {3}, {4}},
       "mean must have shape {4}, not {3}"},
      {BatchNorm{-1},
       {{1, 4}, {4}, {4}, {4}, {4}},
       "epsilon = -1 is not a number of at least 0"},
      {BiasAdd{}, {{1, 4}, {1, 4}}, "bias must have shape {4}, not {1, 4}"},
      {Add{}, {{1, 4}, {3}}, "shapes {1, 4} and {3} do not broadcast"},
      {MaxPool2d{.kernel = {2, 2}, .padding = {0, 0, 2, 0}},
       {{1, 4, 4, 1}},
       "padding.bottom = 2 is not between 0 and 1"},
      {Reshape{{3, 3}}, {{8}}, "shape {3, 3} has 9 elements, the input has 8"},
      {Reshape{{-1}},
       {{8}},
       "shape {-1} has extent -1; extents must be at least 1"},
      {Softmax{2}, {{1, 4}}, "axis = 2 is not between 0 and 1"},
      {LeakyRelu{std::nan("")}, {{4}}, "alpha = nan is no finite number"},
      {Elu{1e39}, {{4}}, "alpha = 1e+39 is no finite number"},
      {HardSigmoid{.beta = -1e39}, {{4}}, "beta = -1e+39 is no finite number"},
      {Clip{.low = 2, .high = 1}, {{4}}, "low = 2 is more than high = 1"},
      {Dense{},
       {{1 << 25, 1}, {1, 1 << 25}},
       "shape {33554432, 33554432} has more than 536870911 elements"},
  };
  for (const ErrorCase& test : cases) {
    EXPECT_EQ(InferShape(test.op, test.inputs).status().message(), test.message)
        << OperatorText(test.op);
  }
}

TEST(OperatorsTest, TextGivesKindAndAttributes) {
  EXPECT_EQ(OperatorText(
                Conv2d{.stride = {2, 1}, .padding = {3, 2, 1, 0}, .groups = 4}),
            "Conv2d(stride=2,1 padding=3,2,1,0 dilation=1,1 groups=4 "
            "channels_first=false)");
  EXPECT_EQ(OperatorText(Relu{}), "Relu()");
  EXPECT_EQ(
      OperatorText(AvgPool2d{.kernel = {2, 3}, .count_include_pad = true}),
      "AvgPool2d(kernel=2,3 stride=1,1 padding=0,0,0,0 "
      "count_include_pad=true)");
  EXPECT_EQ(OperatorText(BatchNorm{.epsilon = 0.5}), "BatchNorm(epsilon=0.5)");
  EXPECT_EQ(OperatorText(Reshape{{1, 8}}), "Reshape(shape=1,8)");
  EXPECT_EQ(OperatorText(Clip{.low = 0, .high = 0.5}), "Clip(low=0 high=0.5)");
}

TEST(OperatorsTest, TableGivesArityAndClass) {
  EXPECT_EQ(KindOf(BatchNorm{}).arity(), 5);
  EXPECT_EQ(KindOf(Relu{}).arity(), 1);
  EXPECT_EQ(KindOf(Dense{}).operator_class, OperatorClass::kAnchor);
  EXPECT_EQ(KindOf(Add{}).operator_class, OperatorClass::kElementwise);
  EXPECT_EQ(KindOf(Reshape{}).operator_class, OperatorClass::kView);
}

}  // namespace
}  // namespace pruner
