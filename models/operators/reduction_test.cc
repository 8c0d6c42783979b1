// Reductions, and operators that compare or add up along an axis.
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"
#include "models/operators/testing.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

TEST(ReductionTest, Kinds) {
  const Array x{{2, 3}, {1, -2, 4, 0.5, 3, 2}};
  const auto reduce = [&](const std::string& kind) {
    return Evaluate(Reduce{.kind = kind, .axes = {1}}, {x}).values;
  };
  EXPECT_EQ(reduce("sum"), (Values{3, 5.5}));
  EXPECT_DOUBLE_EQ(reduce("mean")[1], 5.5 / 3);
  EXPECT_EQ(reduce("max"), (Values{4, 3}));
  EXPECT_EQ(reduce("min"), (Values{-2, 0.5}));
  EXPECT_EQ(reduce("prod"), (Values{-8, 3}));
  EXPECT_EQ(reduce("l1"), (Values{7, 5.5}));
  EXPECT_EQ(reduce("sum_square"), (Values{21, 13.25}));
  EXPECT_DOUBLE_EQ(reduce("l2")[0], std::sqrt(21.0));
  EXPECT_DOUBLE_EQ(reduce("log_sum")[0], std::log(3.0));
  EXPECT_DOUBLE_EQ(reduce("log_sum_exp")[0],
                   std::log(std::exp(1.0) + std::exp(-2.0) + std::exp(4.0)));
  // Exponentials that no double has.
  EXPECT_DOUBLE_EQ(Evaluate(Reduce{.kind = "log_sum_exp", .axes = {0}},
                            {{{2}, {1000, 1000}}})
                       .values[0],
                   1000 + std::log(2.0));
}

TEST(ReductionTest, AxesAndShapes) {
  const Array x = Counting({2, 2, 2});
  EXPECT_EQ(Evaluate(Reduce{.axes = {0, 2}}, {x}).values, (Values{14, 22}));
  EXPECT_EQ(Evaluate(Reduce{.axes = {0, 1, 2}}, {x}).values, (Values{36}));
  EXPECT_EQ(Evaluate(Reduce{}, {x}).values, x.values);
  EXPECT_EQ(Inferred(Reduce{.axes = {0, 2}}, {{2, 3, 4}}), "{3}");
  EXPECT_EQ(Inferred(Reduce{.axes = {0, 2}, .keepdims = true}, {{2, 3, 4}}),
            "{1, 3, 1}");
  EXPECT_EQ(Inferred(Reduce{.axes = {0, 0}}, {{2, 3}}), "axes must ascend");
  EXPECT_EQ(Inferred(Reduce{.axes = {2}}, {{2, 3}}),
            "axes = 2 is not between 0 and 1");
  EXPECT_EQ(Inferred(Reduce{.axes = {-1}}, {{2, 3}}),
            "axes = -1 is not between 0 and 1");
  EXPECT_EQ(Inferred(Reduce{.kind = "median"}, {{2, 3}}),
            "kind \"median\" is none of sum, mean, max, min, prod, l1, l2, "
            "sum_square, log_sum, log_sum_exp");
  EXPECT_EQ(CountFlops(Reduce{.kind = "mean", .axes = {1}}, {{2, 3}}, {2}), 8);
  EXPECT_EQ(*InferType(Reduce{.kind = "max"}, {DataType::kInt64}),
            DataType::kInt64);
  EXPECT_EQ(
      InferType(Reduce{.kind = "l2"}, {DataType::kInt64}).status().message(),
      "input 0 is int64; it must be float32");
}

TEST(ReductionTest, ArgReduce) {
  const Array x{{2, 4}, {1, 3, 3, 0, -1, -1, -2, -2}};
  EXPECT_EQ(Evaluate(ArgReduce{.axis = 1}, {x}).values, (Values{1, 0}));
  EXPECT_EQ(Evaluate(ArgReduce{.kind = "min", .axis = 1}, {x}).values,
            (Values{3, 2}));
  EXPECT_EQ(
      Evaluate(ArgReduce{.axis = 1, .select_last_index = true}, {x}).values,
      (Values{2, 1}));
  EXPECT_EQ(Evaluate(ArgReduce{.axis = 0}, {x}).values, (Values{0, 0, 0, 0}));
  EXPECT_EQ(Inferred(ArgReduce{.axis = 1}, {{2, 3, 4}}), "{2, 4}");
  EXPECT_EQ(Inferred(ArgReduce{.axis = 1, .keepdims = true}, {{2, 3, 4}}),
            "{2, 1, 4}");
  EXPECT_EQ(Inferred(ArgReduce{.axis = 3}, {{2, 3, 4}}),
            "axis = 3 is not between 0 and 2");
  EXPECT_EQ(Inferred(ArgReduce{.kind = "sum"}, {{2}}),
            "kind \"sum\" is neither max nor min");
  EXPECT_EQ(*InferType(ArgReduce{}, {DataType::kFloat32}), DataType::kInt64);
}

TEST(ReductionTest, CumSum) {
  const Array x = Counting({2, 3});
  EXPECT_EQ(Evaluate(CumSum{.axis = 1}, {x}).values,
            (Values{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(Evaluate(CumSum{.axis = 0}, {x}).values,
            (Values{1, 2, 3, 5, 7, 9}));
  EXPECT_EQ(Evaluate(CumSum{.axis = 1, .exclusive = true}, {x}).values,
            (Values{0, 1, 3, 0, 4, 9}));
  EXPECT_EQ(Evaluate(CumSum{.axis = 1, .reverse = true}, {x}).values,
            (Values{6, 5, 3, 15, 11, 6}));
  EXPECT_EQ(Evaluate(CumSum{.axis = 1, .exclusive = true, .reverse = true}, {x})
                .values,
            (Values{5, 3, 0, 11, 6, 0}));
  EXPECT_EQ(Inferred(CumSum{}, {{}}), "axis = 0 is not between 0 and -1");
}

TEST(ReductionTest, TopK) {
  const Array x{{5}, {2, 7, 2, 9, 7}};
  EXPECT_EQ(Evaluate(TopKValues{.k = 4}, {x}).values, (Values{9, 7, 7, 2}));
  EXPECT_EQ(Evaluate(TopKIndices{.k = 4}, {x}).values, (Values{3, 1, 4, 0}));
  EXPECT_EQ(Evaluate(TopKValues{.k = 3, .largest = false}, {x}).values,
            (Values{2, 2, 7}));
  EXPECT_EQ(Evaluate(TopKIndices{.k = 3, .largest = false}, {x}).values,
            (Values{0, 2, 1}));
  EXPECT_EQ(
      Evaluate(TopKIndices{.axis = 0}, {{{2, 3}, {1, 5, 2, 3, 4, 2}}}).values,
      (Values{1, 0, 0}));
  EXPECT_EQ(Inferred(TopKValues{.axis = 1, .k = 2}, {{3, 4}}), "{3, 2}");
  EXPECT_EQ(Inferred(TopKValues{.k = 6}, {{5}}),
            "k = 6 is not between 1 and 5");
  EXPECT_EQ(Inferred(TopKIndices{.axis = 1}, {{5}}),
            "axis = 1 is not between 0 and 0");
  EXPECT_EQ(*InferType(TopKValues{}, {DataType::kInt64}), DataType::kInt64);
  EXPECT_EQ(*InferType(TopKIndices{}, {DataType::kFloat32}), DataType::kInt64);
}

TEST(ReductionTest, OneHot) {
  const Array values{{2}, {-1, 5}};
  const Array indices{{3}, {1, -1, 3}};
  EXPECT_EQ(Evaluate(OneHot{.axis = 1, .depth = 3}, {indices, values}).values,
            (Values{-1, 5, -1, -1, -1, 5, -1, -1, -1}));
  EXPECT_EQ(Evaluate(OneHot{.axis = 0, .depth = 2}, {indices, values}).values,
            (Values{-1, -1, -1, 5, 5, -1}));
  EXPECT_EQ(Inferred(OneHot{.axis = 1, .depth = 4}, {{2, 3}, {2}}),
            "{2, 4, 3}");
  EXPECT_EQ(Inferred(OneHot{.axis = 3}, {{2, 3}, {2}}),
            "axis = 3 is not between 0 and 2");
  EXPECT_EQ(Inferred(OneHot{.depth = 0}, {{2, 3}, {2}}),
            "depth = 0 is not between 1 and 1073741824");
  EXPECT_EQ(Inferred(OneHot{}, {{2, 3}, {3}}),
            "values must have shape {2}, not {3}");
  EXPECT_EQ(InferType(OneHot{}, {DataType::kFloat32, DataType::kFloat32})
                .status()
                .message(),
            "input 0 is float32; it must be int64");
}

TEST(ReductionTest, Trilu) {
  const Array x = Counting({3, 3});
  EXPECT_EQ(Evaluate(Trilu{}, {x}).values, (Values{1, 2, 3, 0, 5, 6, 0, 0, 9}));
  EXPECT_EQ(Evaluate(Trilu{.k = 1}, {x}).values,
            (Values{0, 2, 3, 0, 0, 6, 0, 0, 0}));
  EXPECT_EQ(Evaluate(Trilu{.upper = false, .k = -1}, {x}).values,
            (Values{0, 0, 0, 4, 0, 0, 7, 8, 0}));
  EXPECT_EQ(Evaluate(Trilu{.k = INT64_MIN}, {x}).values, x.values);
  EXPECT_EQ(Inferred(Trilu{}, {{3}}), "input must have at least 2 dimensions");
}

}  // namespace
}  // namespace pruner
