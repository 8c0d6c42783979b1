// Matrix products and normalizations.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"
#include "models/operators/testing.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

TEST(MatMulTest, InfersShapes) {
  EXPECT_EQ(Inferred(MatMul{}, {{2, 3}, {3, 4}}), "{2, 4}");
  EXPECT_EQ(Inferred(MatMul{}, {{5, 2, 3}, {3, 4}}), "{5, 2, 4}");
  EXPECT_EQ(Inferred(MatMul{}, {{5, 1, 2, 3}, {7, 3, 4}}), "{5, 7, 2, 4}");
  EXPECT_EQ(Inferred(MatMul{.transpose_left = true}, {{3, 2}, {3, 4}}),
            "{2, 4}");
  EXPECT_EQ(Inferred(MatMul{.transpose_right = true}, {{2, 3}, {6, 4, 3}}),
            "{6, 2, 4}");
  const std::vector<Shape> inputs = {{2, 5, 3}, {2, 3, 4}};
  EXPECT_EQ(CountFlops(MatMul{}, inputs, {2, 5, 4}), 2.0 * 2 * 5 * 4 * 3);
}

TEST(MatMulTest, SaysWhatDoesNotFit) {
  EXPECT_EQ(Inferred(MatMul{}, {{3}, {3, 4}}),
            "operands must have at least 2 dimensions, not 1 and 2");
  EXPECT_EQ(Inferred(MatMul{}, {{2, 3}, {4, 3}}),
            "the left matrix has 3 columns, the right one 4 rows");
  EXPECT_EQ(Inferred(MatMul{}, {{5, 2, 3}, {4, 3, 4}}),
            "shapes {5} and {4} do not broadcast");
  const int64_t many = kMaxTensorElements;
  EXPECT_EQ(Inferred(MatMul{}, {{many, 1}, {1, many}}),
            "shape {536870911, 536870911} has more than 536870911 elements");
}

TEST(MatMulTest, MultipliesMatrices) {
  // 1 2   1 2 3     9 12 15
  // 3 4   4 5 6    19 26 33
  const Values product = {9, 12, 15, 19, 26, 33};
  const Array left = Counting({2, 2}), right = Counting({2, 3});
  const Array left_t{{2, 2}, {1, 3, 2, 4}};
  const Array right_t{{3, 2}, {1, 4, 2, 5, 3, 6}};
  EXPECT_EQ(Evaluate(MatMul{}, {left, right}).values, product);
  EXPECT_EQ(Evaluate(MatMul{.transpose_left = true}, {left_t, right}).values,
            product);
  EXPECT_EQ(Evaluate(MatMul{.transpose_right = true}, {left, right_t}).values,
            product);
  EXPECT_EQ(Evaluate(MatMul{.transpose_left = true, .transpose_right = true},
                     {left_t, right_t})
                .values,
            product);
}

TEST(MatMulTest, BroadcastsBatches) {
  // Rows (1 2) and (3 4) with columns of each of (1 2) (3 4) (5 6).
  const Array y =
      Evaluate(MatMul{}, {Counting({2, 1, 1, 2}), Counting({3, 2, 1})});
  EXPECT_EQ(y.shape, (Shape{2, 3, 1, 1}));
  EXPECT_EQ(y.values, (Values{5, 11, 17, 11, 25, 39}));
}

TEST(NormTest, ChecksAxisEpsilonAndParameters) {
  const Shape x = {2, 3, 4};
  EXPECT_EQ(Inferred(LayerNorm{.axis = 1}, {x, {3, 4}, {3, 4}}), "{2, 3, 4}");
  EXPECT_EQ(Inferred(LayerNorm{.axis = 2}, {x, {4}, {3}}),
            "bias must have shape {4}, not {3}");
  EXPECT_EQ(Inferred(RmsNorm{.axis = 1}, {x, {4}}),
            "scale must have shape {3, 4}, not {4}");
  EXPECT_EQ(Inferred(Normalize{.axis = 3}, {x}),
            "axis = 3 is not between 0 and 2");
  EXPECT_EQ(
      Inferred(Normalize{.axis = std::numeric_limits<int64_t>::min()}, {x}),
      "axis = -9223372036854775808 is not between 0 and 2");
  EXPECT_EQ(Inferred(Normalize{}, {{}}),
            "input must have at least 1 dimension");
  EXPECT_EQ(Inferred(Normalize{.epsilon = -1}, {x}),
            "epsilon = -1 is not positive");
  EXPECT_EQ(Inferred(Normalize{.epsilon = 1e300}, {x}),
            "epsilon = 1e+300 is no finite number");
}

TEST(NormTest, NormalizesLines) {
  // Mean 2, mean square of differences 2 / 3; with epsilon 1/3 the deviation
  // is 1. The second line is 10 more.
  const Array x{{2, 3}, {1, 2, 3, 11, 12, 13}};
  const Array scale{{3}, {1, 2, 4}}, bias{{3}, {10, 20, 30}};
  const auto expect = [](const Array& got, const Values& expected) {
    ASSERT_EQ(got.values.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(got.values[i], expected[i], 1e-12) << i;
  };
  expect(Evaluate(Normalize{.axis = 1, .epsilon = 1.0 / 3}, {x}),
         {-1, 0, 1, -1, 0, 1});
  expect(Evaluate(LayerNorm{.axis = 1, .epsilon = 1.0 / 3}, {x, scale, bias}),
         {9, 20, 34, 9, 20, 34});
  // Mean square 12.5, root of 12.5 + 3.5 is 4.
  expect(Evaluate(RmsNorm{.axis = 0, .epsilon = 3.5},
                  {{{2, 1}, {3, 4}}, {{2, 1}, {4, 8}}}),
         {3, 8});
}

}  // namespace
}  // namespace pruner
