// Convolutions and poolings beyond those of operators_test.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"
#include "models/operators/testing.h"

namespace pruner {
namespace {

using Values = std::vector<double>;
using Numbers = std::vector<int64_t>;

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(Conv3dTest, InfersShapes) {
  const Conv3d op = {.stride = {1, 2, 3},
                     .padding = {1, 0, 2, 0, 1, 0},
                     .dilation = {2, 1, 1},
                     .groups = 2};
  // (7 + 1 - 5) / 1 + 1 = 4, (8 + 1 - 3) / 2 + 1 = 4, (9 + 2 - 2) / 3 + 1 = 4.
  const std::vector<Shape> inputs = {{2, 7, 8, 9, 6}, {3, 3, 2, 3, 4}};
  EXPECT_EQ(Inferred(op, inputs), "{2, 4, 4, 4, 4}");
  EXPECT_EQ(CountFlops(op, inputs, {2, 4, 4, 4, 4}),
            2.0 * 2 * 64 * 4 * 3 * 3 * 2 * 3);
}

TEST(Conv3dTest, SaysWhatDoesNotFit) {
  const std::vector<Shape> inputs = {{1, 4, 4, 4, 2}, {3, 3, 3, 2, 4}};
  EXPECT_EQ(Inferred(Conv3d{.stride = {1, 1}}, inputs),
            "stride must have 3 values, not 2");
  EXPECT_EQ(Inferred(Conv3d{.padding = {0, 0, 0, 0, 0, -1}}, inputs),
            "padding[5] = -1 is not between 0 and 1073741824");
  EXPECT_EQ(Inferred(Conv3d{.dilation = {1, 1, 2}}, inputs),
            "a window of 5 does not fit dimension 2 of extent 4 and padding 0");
  EXPECT_EQ(Inferred(Conv3d{.dilation = {1, 1, kHuge}}, inputs),
            "dilation[2] = 9223372036854775807 is not between 1 and "
            "1073741824");
  EXPECT_EQ(Inferred(Conv3d{.groups = 2}, inputs),
            "input has 2 channels, weights expect 2 in each of 2 groups");
  EXPECT_EQ(Inferred(Conv3d{}, {{1, 4, 4, 2}, {3, 3, 3, 2, 4}}),
            "input must have 5 dimensions, not 4");
}

TEST(Conv3dTest, SumsWindow) {
  Array weights{{2, 2, 2, 1, 1}, {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7}};
  EXPECT_EQ(Evaluate(Conv3d{}, {Counting({1, 2, 2, 2, 1}), weights}).values,
            (Values{87654321}));
  // Padded in front and on the right.
  const Conv3d padded = {.padding = {1, 0, 0, 0, 0, 1}};
  EXPECT_EQ(Evaluate(padded, {Counting({1, 2, 2, 2, 1}), weights}).values,
            (Values{43210000, 4020000, 87654321, 8060402}));
}

TEST(Conv3dTest, IsConv2dOfOnePlane) {
  const Array weights = Counting({1, 3, 2, 2, 4});
  const Array image = Counting({1, 1, 5, 6, 4});
  const Conv3d op3 = {.stride = {1, 2, 1},
                      .padding = {0, 1, 0, 0, 2, 1},
                      .dilation = {1, 1, 2},
                      .groups = 2};
  const Conv2d op2 = {.stride = {2, 1},
                      .padding = {1, 0, 2, 1},
                      .dilation = {1, 2},
                      .groups = 2};
  EXPECT_EQ(Evaluate(op3, {image, weights}).values,
            Evaluate(op2, {{{1, 5, 6, 4}, image.values},
                           {{3, 2, 2, 4}, weights.values}})
                .values);
}

TEST(Conv2dTest, ChannelsFirstIsATransposedInput) {
  const Array image = Counting({2, 4, 5, 6}), weights = Counting({3, 2, 2, 4});
  Conv2d op = {.stride = {2, 1}, .padding = {1, 0, 2, 1}, .groups = 2};
  const Array last = Evaluate(Transpose{{0, 2, 3, 1}}, {image});
  const Values expected = Evaluate(op, {last, weights}).values;
  op.channels_first = true;
  EXPECT_EQ(Evaluate(op, {image, weights}).values, expected);
}

// By its definition: what every input element adds.
Array Scatter(const ConvTranspose2d& op, const Array& input,
              const Array& weights, const Shape& shape) {
  Array out{shape, Values(NumElements(shape))};
  const int64_t in_group = weights.shape[2], channels = weights.shape[3];
  for (int64_t i = 0; i < NumElements(input.shape); ++i) {
    const int64_t ci = i % input.shape[3], pixel = i / input.shape[3];
    const int64_t x = pixel % input.shape[2], row = pixel / input.shape[2];
    const int64_t y = row % input.shape[1], n = row / input.shape[1];
    for (int64_t w = 0; w < NumElements(weights.shape); ++w) {
      const int64_t o = w % channels, c = w / channels % in_group;
      const int64_t tap = w / channels / in_group;
      if (o / (channels / op.groups) * in_group + c != ci) continue;
      const int64_t out_y = y * op.stride.h - op.padding.top +
                            tap / weights.shape[1] * op.dilation.h;
      const int64_t out_x = x * op.stride.w - op.padding.left +
                            tap % weights.shape[1] * op.dilation.w;
      if (out_y < 0 || out_y >= shape[1] || out_x < 0 || out_x >= shape[2])
        continue;
      out.values[((n * shape[1] + out_y) * shape[2] + out_x) * channels + o] +=
          input.values[i] * weights.values[w];
    }
  }
  return out;
}

TEST(ConvTranspose2dTest, AddsEveryElementsMultipleOfTheKernel) {
  // 1 2 with stride 2 and kernel 1 10 100: 1 10 100 and 2 20 200 two on.
  const Array kernel{{1, 3, 1, 1}, {1, 10, 100}};
  EXPECT_EQ(Evaluate(ConvTranspose2d{.stride = {1, 2}},
                     {Counting({1, 1, 2, 1}), kernel})
                .values,
            (Values{1, 10, 102, 20, 200}));
  for (const ConvTranspose2d& op : std::vector<ConvTranspose2d>{
           {},
           {.stride = {2, 3}, .padding = {1, 0, 2, 1}},
           {.stride = {2, 2}, .groups = 2, .output_padding = {1, 0}},
           {.padding = {1, 1, 0, 0}, .dilation = {2, 3}},
           {.stride = {3, 2}, .padding = {2, 1, 0, 1}, .dilation = {2, 2}}}) {
    SCOPED_TRACE(OperatorText(op));
    const Array input = Counting({2, 3, 4, 4});
    const Array weights = Counting({3, 2, 4 / op.groups, 6});
    const Array got = Evaluate(op, {input, weights});
    EXPECT_EQ(got.values, Scatter(op, input, weights, got.shape).values);
  }
}

TEST(ConvTranspose2dTest, InfersShapes) {
  const std::vector<Shape> inputs = {{1, 5, 6, 4}, {3, 4, 4, 8}};
  EXPECT_EQ(Inferred(ConvTranspose2d{}, inputs), "{1, 7, 9, 8}");
  // 4 * 2 + 2 * 3 + 1 + 1 - 2 = 14, 5 * 3 + 3 + 1 - 1 = 18.
  EXPECT_EQ(Inferred(ConvTranspose2d{.stride = {2, 3},
                                     .padding = {1, 0, 1, 1},
                                     .dilation = {3, 1},
                                     .output_padding = {1, 0}},
                     inputs),
            "{1, 14, 18, 8}");
  EXPECT_EQ(CountFlops(ConvTranspose2d{}, inputs, {1, 7, 9, 8}),
            2.0 * 5 * 6 * 4 * 3 * 4 * 8);
  EXPECT_EQ(Inferred(ConvTranspose2d{.padding = {4, 0, 3, 0}}, inputs),
            "padding leaves nothing of dimension H of extent 7");
  EXPECT_EQ(Inferred(ConvTranspose2d{.output_padding = {0, -1}}, inputs),
            "output_padding.w = -1 is not between 0 and 1073741824");
  EXPECT_EQ(Inferred(ConvTranspose2d{.stride = {1, 1 << 30}}, inputs),
            "the padded output's W = 5368709124 is not between 1 and "
            "1073741824");
}

TEST(PoolTest, InfersShapes) {
  EXPECT_EQ(
      Inferred(Pool{.windows = {.kernel = {3}, .stride = {2}}}, {{2, 8, 5}}),
      "{2, 3, 5}");
  EXPECT_EQ(
      Inferred(Pool{.windows = {.kernel = {3}, .stride = {2}, .out = {4}}},
               {{2, 8, 5}}),
      "{2, 4, 5}");
  EXPECT_EQ(Inferred(ArgMaxPool{{.kernel = {2, 2, 2},
                                 .dilation = {3, 1, 1},
                                 .padding_before = {0, 1, 0},
                                 .padding_after = {0, 0, 1}}},
                     {{1, 4, 5, 6, 7}}),
            "{1, 1, 5, 6, 7}");
  const DataType types[] = {DataType::kFloat32};
  EXPECT_EQ(*InferType(ArgMaxPool{}, types), DataType::kInt64);
}

TEST(PoolTest, SaysWhatDoesNotFit) {
  const std::vector<Shape> inputs = {{2, 8, 5}};
  EXPECT_EQ(Inferred(Pool{}, inputs), "kernel must have 1 to 3 values, not 0");
  EXPECT_EQ(Inferred(Pool{.windows = {.kernel = {2, 2}}}, inputs),
            "input must have 4 dimensions, not 3");
  EXPECT_EQ(Inferred(Pool{.kind = "min"}, inputs),
            "kind \"min\" is not max, average or lp");
  EXPECT_EQ(Inferred(Pool{.p = 0}, inputs), "p = 0 is not between 1 and 64");
  EXPECT_EQ(Inferred(Pool{.windows = {.kernel = {9}}}, inputs),
            "a window of 9 does not fit dimension 0 of extent 8 and padding 0");
  EXPECT_EQ(Inferred(Pool{.windows = {.kernel = {9}, .out = {kHuge}}}, inputs),
            "out[0] = 9223372036854775807 is not between 1 and 1073741824");
  EXPECT_EQ(Inferred(Pool{.windows = {.kernel = {1},
                                      .stride = {1 << 30},
                                      .out = {1 << 28}}},
                     inputs),
            "the extent of all windows = 288230375077969921 is not between 1 "
            "and 1073741824");
}

TEST(PoolTest, OneDimensionWithPartialWindows) {
  // -1 -2 -3 -4 -5, padded by 1 before: windows of 3 at -1, 1, 3, 5; the third
  // and fourth reach beyond the input, the latter is all beyond it.
  const Array x{{1, 5, 1}, {-1, -2, -3, -4, -5}};
  const PoolWindows windows = {
      .kernel = {3}, .stride = {2}, .padding_before = {1}, .out = {4}};
  const double lowest = std::numeric_limits<float>::lowest();
  EXPECT_EQ(Evaluate(Pool{.kind = "max", .windows = windows}, {x}).values,
            (Values{-1, -2, -4, lowest}));
  EXPECT_EQ(Evaluate(Pool{.kind = "average", .windows = windows}, {x}).values,
            (Values{-1.5, -3, -4.5, 0}));
  EXPECT_EQ(Evaluate(Pool{.kind = "average",
                          .windows = windows,
                          .count_include_pad = true},
                     {x})
                .values,
            (Values{-1, -3, -4.5, 0}));
  EXPECT_EQ(
      Evaluate(Pool{.kind = "lp", .p = 1, .windows = windows}, {x}).values,
      (Values{3, 9, 9, 0}));
  EXPECT_EQ(Evaluate(ArgMaxPool{{.kernel = {3},
                                 .stride = {2},
                                 .padding_before = {1},
                                 .out = {3}}},
                     {x})
                .values,
            (Values{0, 1, 3}));
}

TEST(PoolTest, DilatedImages) {
  // 1 2 3    windows of 2 x 2, every second element in w: at columns 0 and 2.
  // 4 5 6
  const PoolWindows windows = {.kernel = {2, 2}, .dilation = {1, 2}};
  const Array x = Counting({1, 2, 3, 1});
  EXPECT_EQ(Evaluate(Pool{.windows = windows}, {x}).values, (Values{6}));
  EXPECT_EQ(Evaluate(ArgMaxPool{windows}, {x}).values, (Values{5}));
  EXPECT_EQ(Evaluate(Pool{.kind = "average", .windows = windows}, {x}).values,
            (Values{3.5}));
  EXPECT_NEAR(Evaluate(Pool{.kind = "lp", .windows = windows}, {x}).values[0],
              std::sqrt(1 + 9 + 16 + 36), 1e-12);
}

TEST(ArgMaxPoolTest, FirstOfEqualOnesInEachChannel) {
  const Array x{{1, 2, 2, 2}, {1, 5, 7, 5, 7, 5, 7, 6}};
  EXPECT_EQ(Evaluate(ArgMaxPool{{.kernel = {2, 2}}}, {x}).values,
            (Values{1, 3}));
}

TEST(LrnTest, DividesBySquaresOfNeighbours) {
  const Array x{{1, 4}, {1, 2, 3, 4}};
  // Windows of 2 are a channel and the next one.
  const Lrn op = {.size = 2, .alpha = 2, .beta = 2, .bias = 3};
  const Array y = Evaluate(op, {x});
  const Values squares = {5, 13, 25, 16};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(y.values[i], x.values[i] / std::pow(3 + squares[i], 2), 1e-12);
  }
  EXPECT_EQ(Inferred(Lrn{.size = 0}, {{2}}),
            "size = 0 is not between 1 and 1073741824");
  EXPECT_EQ(Inferred(Lrn{.alpha = -1}, {{2}}), "alpha = -1 is negative");
  EXPECT_EQ(Inferred(Lrn{.bias = 0}, {{2}}), "bias = 0 is not positive");
  EXPECT_EQ(Inferred(Lrn{.beta = std::nan("")}, {{2}}),
            "beta = nan is no finite number");
}

TEST(GlobalPoolTest, AnyRank) {
  const Array x{{2, 3, 1}, {-3, -1, -2, 4, 6, 5}};
  EXPECT_EQ(Evaluate(GlobalMaxPool{}, {x}).values, (Values{-1, 6}));
  EXPECT_EQ(Evaluate(GlobalAvgPool{}, {x}).values, (Values{-2, 5}));
  EXPECT_EQ(Inferred(GlobalMaxPool{}, {{2, 3, 4, 5, 6}}), "{2, 1, 1, 1, 6}");
  EXPECT_EQ(Inferred(GlobalAvgPool{}, {{2, 3}}),
            "input must have at least 3 dimensions, not 2");
}

}  // namespace
}  // namespace pruner
