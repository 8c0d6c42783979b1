#include <cmath>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

// 1, 2, 3, ... in the given shape.
Array Counting(const Shape& shape) {
  Array array{shape, Values(NumElements(shape))};
  std::iota(array.values.begin(), array.values.end(), 1.0);
  return array;
}

Array Apply(const Operator& op, const std::vector<Array>& inputs) {
  std::vector<Shape> shapes;
  std::vector<const Array*> pointers;
  for (const Array& input : inputs) {
    shapes.push_back(input.shape);
    pointers.push_back(&input);
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  EXPECT_TRUE(shape.ok()) << shape.status();
  return EvaluateOperator(op, pointers, *shape, 1);
}

TEST(ReferenceOperatorsTest, ConvolutionSumsWindow) {
  // 1 2 3
  // 4 5 6   with kernel  1 10     : 1*1 + 2*10 + 4*100 + 5*1000 = 5421, and so
  // on. 7 8 9              100 1000
  const Array y = Apply(
      Conv2d{}, {Counting({1, 3, 3, 1}), {{2, 2, 1, 1}, {1, 10, 100, 1000}}});
  EXPECT_EQ(y.shape, (Shape{1, 2, 2, 1}));
  EXPECT_EQ(y.values, (Values{5421, 6532, 8754, 9865}));
}

TEST(ReferenceOperatorsTest, ConvolutionStrideAndUnevenPadding) {
  // Padded by 1 above and 2 on the right, stride 2 down and 3 across:
  // 0 0 0 0 0     windows of 2 x 2 at rows 0, 2 and columns 0, 3
  // 1 2 3 0 0     (0,0): 1*100 + 2*1000 = 2100
  // 4 5 6 0 0     (0,3): 0
  // 7 8 9 0 0     (2,0): 4 + 5*10 + 7*100 + 8*1000 = 8754
  //               (2,3): 0
  const Array weights{{2, 2, 1, 1}, {1, 10, 100, 1000}};
  const Conv2d right{.stride = {2, 3}, .padding = {1, 0, 0, 2}};
  EXPECT_EQ(Apply(right, {Counting({1, 3, 3, 1}), weights}).values,
            (Values{2100, 0, 8754, 0}));
  // Padded by 1 on the left and 1 below instead, stride 2 and 2:
  // 0 1 2 3     (0,0): 1*10 + 4*1000 = 4010
  // 0 4 5 6     (0,2): 2 + 3*10 + 5*100 + 6*1000 = 6532
  // 0 7 8 9     (2,0): 7*10 = 70
  // 0 0 0 0     (2,2): 8 + 9*10 = 98
  const Conv2d left{.stride = {2, 2}, .padding = {0, 1, 1, 0}};
  EXPECT_EQ(Apply(left, {Counting({1, 3, 3, 1}), weights}).values,
            (Values{4010, 6532, 70, 98}));
}

TEST(ReferenceOperatorsTest, ConvolutionDilation) {
  // Kernel elements 1 row and 2 columns apart on
  // 1 2 3 4
  // 5 6 7 8     (0,0): 1 + 3*10 + 5*100 + 7*1000 = 7531, (0,1): 2 + 40 + 600 +
  // 8000.
  const Array weights{{2, 2, 1, 1}, {1, 10, 100, 1000}};
  const Array y =
      Apply(Conv2d{.dilation = {1, 2}}, {Counting({1, 2, 4, 1}), weights});
  EXPECT_EQ(y.shape, (Shape{1, 1, 2, 1}));
  EXPECT_EQ(y.values, (Values{7531, 8642}));
}

TEST(ReferenceOperatorsTest, ConvolutionChannelsAndBatch) {
  // Two pixels in two batches, {1, 2} and {3, 4}; weights {ci, co}:
  // 1 10 100 / 2 20 200.  1*1 + 2*2 = 5, 3*1 + 4*2 = 11, times 1, 10, 100.
  const Array weights{{1, 1, 2, 3}, {1, 10, 100, 2, 20, 200}};
  EXPECT_EQ(Apply(Conv2d{}, {Counting({2, 1, 1, 2}), weights}).values,
            (Values{5, 50, 500, 11, 110, 1100}));
}

TEST(ReferenceOperatorsTest, ConvolutionGroups) {
  // Channels 1 2 | 3 4 in two groups, two outputs each; weights {2, 4}:
  // 1 2 3 4
  // 10 20 30 40
  // outputs 0, 1 read 1 2: 1*1 + 2*10 = 21, 1*2 + 2*20 = 42;
  // outputs 2, 3 read 3 4: 3*3 + 4*30 = 129, 3*4 + 4*40 = 172.
  const Array weights{{1, 1, 2, 4}, {1, 2, 3, 4, 10, 20, 30, 40}};
  EXPECT_EQ(
      Apply(Conv2d{.groups = 2}, {Counting({1, 1, 1, 4}), weights}).values,
      (Values{21, 42, 129, 172}));
  // Depthwise: each channel by its own weight.
  const Array depthwise{{1, 1, 1, 4}, {1, 10, 100, 1000}};
  EXPECT_EQ(
      Apply(Conv2d{.groups = 4}, {Counting({1, 1, 1, 4}), depthwise}).values,
      (Values{1, 20, 300, 4000}));
}

TEST(ReferenceOperatorsTest, DenseMultipliesInnermost) {
  // Rows {1 2} and {3 4} by {1 10 100 / 2 20 200}.
  const Array weights{{2, 3}, {1, 10, 100, 2, 20, 200}};
  EXPECT_EQ(Apply(Dense{}, {Counting({2, 2}), weights}).values,
            (Values{5, 50, 500, 11, 110, 1100}));
  EXPECT_EQ(Apply(Dense{}, {Counting({2, 1, 2}), weights}).shape,
            (Shape{2, 1, 3}));
}

TEST(ReferenceOperatorsTest, BatchNormPerChannel) {
  // Channel 0: (x - 1) / sqrt(3 + 1) * 4 + 10, of 1 and 3: 10, 14.
  // Channel 1: (x - 0) / sqrt(15 + 1) * 1 + 0, of 2 and 4: 0.5, 1.
  EXPECT_EQ(Apply(BatchNorm{.epsilon = 1}, {Counting({2, 2}),
                                            {{2}, {4, 1}},
                                            {{2}, {10, 0}},
                                            {{2}, {1, 0}},
                                            {{2}, {3, 15}}})
                .values,
            (Values{10, 0.5, 14, 1}));
}

TEST(ReferenceOperatorsTest, Elementwise) {
  EXPECT_EQ(Apply(BiasAdd{}, {Counting({2, 2}), {{2}, {10, 20}}}).values,
            (Values{11, 22, 13, 24}));
  EXPECT_EQ(Apply(Relu{}, {{{3}, {-1, 0, 2}}}).values, (Values{0, 0, 2}));
  EXPECT_EQ(Apply(Relu6{}, {{{4}, {-1, 2, 6, 7}}}).values,
            (Values{0, 2, 6, 6}));
  EXPECT_EQ(Apply(Add{}, {Counting({2}), {{2}, {10, -2}}}).values,
            (Values{11, 0}));
  EXPECT_EQ(Apply(Identity{}, {Counting({3})}).values, (Values{1, 2, 3}));
}

TEST(ReferenceOperatorsTest, MaxPoolIgnoresPadding) {
  // -1 -2 -3
  // -4 -5 -6    windows 2 x 2 at distance 2, padded by 1 above and on the left:
  // the corner -7 -8 -9    window holds -1 alone; then -2, -3; -4, -7; -5, -6,
  // -8, -9.
  Array x = Counting({1, 3, 3, 1});
  for (double& value : x.values) value = -value;
  const MaxPool2d pool{
      .kernel = {2, 2}, .stride = {2, 2}, .padding = {1, 1, 0, 0}};
  EXPECT_EQ(Apply(pool, {x}).values, (Values{-1, -2, -4, -5}));
}

TEST(ReferenceOperatorsTest, MaxPoolKeepsChannelsApart) {
  // Pixels {1 2} {3 4}.
  EXPECT_EQ(Apply(MaxPool2d{.kernel = {1, 2}}, {Counting({1, 1, 2, 2})}).values,
            (Values{3, 4}));
}

TEST(ReferenceOperatorsTest, AvgPoolCountsPaddingIfAsked) {
  // Windows as above: 1; 2, 3; 4, 7; 5, 6, 8, 9.
  AvgPool2d pool{.kernel = {2, 2}, .stride = {2, 2}, .padding = {1, 1, 0, 0}};
  const Array x = Counting({1, 3, 3, 1});
  EXPECT_EQ(Apply(pool, {x}).values, (Values{1, 2.5, 5.5, 7}));
  pool.count_include_pad = true;
  EXPECT_EQ(Apply(pool, {x}).values, (Values{0.25, 1.25, 2.75, 7}));
}

TEST(ReferenceOperatorsTest, GlobalAvgPoolPerBatchAndChannel) {
  // Batch 0, channel 0: 1, 3, 5, 7; channel 1: 2, 4, 6, 8; batch 1: 8 more.
  const Array y = Apply(GlobalAvgPool{}, {Counting({2, 2, 2, 2})});
  EXPECT_EQ(y.shape, (Shape{2, 1, 1, 2}));
  EXPECT_EQ(y.values, (Values{4, 5, 12, 13}));
}

// At -8, -1, 0, 1 and 8; what is not plain from the definition is from tables.
TEST(ReferenceOperatorsTest, ActivationsAtSomePoints) {
  const auto at_points = [](const Operator& op) {
    return Apply(op, {{{5}, {-8, -1, 0, 1, 8}}}).values;
  };
  const auto expect_near = [&](const Operator& op, const Values& expected) {
    const Values got = at_points(op);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(got[i], expected[i], 1e-9) << OperatorText(op) << " " << i;
  };
  expect_near(LeakyRelu{.alpha = 0.5}, {-4, -0.5, 0, 1, 8});
  expect_near(Elu{.alpha = 2}, {-1.999329074744, -1.264241117657, 0, 1, 8});
  expect_near(Sigmoid{}, {0.000335350130, 0.268941421370, 0.5, 0.731058578630,
                          0.999664649870});
  expect_near(HardSigmoid{}, {0, 0.3, 0.5, 0.7, 1});
  expect_near(HardSwish{}, {0, -1.0 / 3, 0, 2.0 / 3, 8});
  expect_near(Silu{}, {-0.002682801043, -0.268941421370, 0, 0.731058578630,
                       7.997317198957});
  expect_near(Tanh{}, {-0.999999774930, -0.761594155956, 0, 0.761594155956,
                       0.999999774930});
  expect_near(Gelu{}, {0, -0.158655253931, 0, 0.841344746069, 8});
  expect_near(Softplus{}, {0.000335406373, 0.313261687518, 0.693147180560,
                           1.313261687518, 8.000335406373});
  expect_near(Clip{.low = -2, .high = 0.5}, {-2, -1, 0, 0.5, 0.5});
}

TEST(ReferenceOperatorsTest, ReshapeKeepsOrder) {
  const Array y = Apply(Reshape{{3, 2}}, {Counting({1, 6})});
  EXPECT_EQ(y.shape, (Shape{3, 2}));
  EXPECT_EQ(y.values, (Values{1, 2, 3, 4, 5, 6}));
}

TEST(ReferenceOperatorsTest, SoftmaxAlongItsAxis) {
  // exp of 0 and log 3 are 1 and 3: 1/4 and 3/4, also far from zero.
  const double log3 = std::log(3.0);
  const Array rows =
      Apply(Softmax{1}, {{{2, 2}, {0, log3, 1000 + log3, 1000}}});
  const Values expected = {0.25, 0.75, 0.75, 0.25};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(rows.values[i], expected[i], 1e-12);
  const Array columns = Apply(Softmax{0}, {{{2, 2}, {0, 5 + log3, log3, 5}}});
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(columns.values[i], expected[i], 1e-12);
}

}  // namespace
}  // namespace pruner
