// Operators that move elements.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"
#include "models/operators/testing.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

struct Case {
  Operator op;
  std::vector<Array> inputs;
  Shape shape;
  Values values;
};

// 1, 2, 3, ... are the elements of most inputs.
void ExpectValues(const std::vector<Case>& cases) {
  for (const Case& test : cases) {
    SCOPED_TRACE(OperatorText(test.op));
    const Array got = Evaluate(test.op, test.inputs);
    EXPECT_EQ(ShapeText(got.shape), ShapeText(test.shape));
    EXPECT_EQ(got.values, test.values);
  }
}

TEST(MovementTest, Transpose) {
  ExpectValues({
      {Transpose{{1, 0}}, {Counting({2, 3})}, {3, 2}, {1, 4, 2, 5, 3, 6}},
      {Transpose{{2, 0, 1}},
       {Counting({2, 2, 2})},
       {2, 2, 2},
       {1, 3, 5, 7, 2, 4, 6, 8}},
      {Transpose{}, {Counting({})}, {}, {1}},
  });
  EXPECT_EQ(Inferred(Transpose{{0}}, {{2, 3}}),
            "perm has 1 dimensions, the input has 2");
  EXPECT_EQ(Inferred(Transpose{{0, 0}}, {{2, 3}}), "perm has 0 twice");
  EXPECT_EQ(Inferred(Transpose{{0, 2}}, {{2, 3}}),
            "perm = 2 is not between 0 and 1");
  EXPECT_EQ(Inferred(Transpose{{0, -1}}, {{2, 3}}),
            "perm = -1 is not between 0 and 1");
}

TEST(MovementTest, Concat) {
  ExpectValues({
      {Concat{0},
       {Counting({1, 2}), Counting({2, 2})},
       {3, 2},
       {1, 2, 1, 2, 3, 4}},
      {Concat{1},
       {Counting({2, 1}), Counting({2, 2}), Counting({2, 1})},
       {2, 4},
       {1, 1, 2, 1, 2, 3, 4, 2}},
      {Concat{0}, {Counting({2})}, {2}, {1, 2}},
  });
  EXPECT_EQ(Inferred(Concat{1}, {{2}}), "axis = 1 is not between 0 and 0");
  EXPECT_EQ(Inferred(Concat{0}, {{}}), "axis = 0 is not between 0 and -1");
  EXPECT_EQ(Inferred(Concat{0}, {{2, 3}, {2, 4}}),
            "input 1 of shape {2, 4} differs from {2, 3} not only in dimension "
            "0");
  EXPECT_EQ(Inferred(Concat{0}, {{2, 3}, {2}}),
            "input 1 of shape {2} differs from {2, 3} not only in dimension 0");
  EXPECT_EQ(InferType(Concat{}, {DataType::kBool, DataType::kInt64})
                .status()
                .message(),
            "inputs must be of one type, not bool and int64");
}

TEST(MovementTest, Slice) {
  ExpectValues({
      {Slice{{1, 0}, {2, 2}, {1, 2}},
       {Counting({3, 4})},
       {2, 2},
       {5, 7, 9, 11}},
      {Slice{{2, 3}, {2, 4}, {-2, -1}},
       {Counting({3, 4})},
       {2, 4},
       {12, 11, 10, 9, 4, 3, 2, 1}},
      {Slice{}, {Counting({})}, {}, {1}},
  });
  EXPECT_EQ(Inferred(Slice{{0}, {1}, {}}, {{3}}),
            "starts, extents and steps must have 1 numbers each, as the input "
            "has dimensions");
  EXPECT_EQ(Inferred(Slice{{0}, {4}, {1}}, {{3}}),
            "the last element's index = 3 is not between 0 and 2");
  EXPECT_EQ(Inferred(Slice{{1}, {3}, {-1}}, {{3}}),
            "the last element's index = -1 is not between 0 and 2");
  EXPECT_EQ(Inferred(Slice{{3}, {1}, {1}}, {{3}}),
            "starts = 3 is not between 0 and 2");
  EXPECT_EQ(Inferred(Slice{{0}, {1}, {0}}, {{3}}), "steps of dimension 0 is 0");
  EXPECT_EQ(Inferred(Slice{{0}, {2}, {INT64_MIN}}, {{3}}),
            "steps = -9223372036854775808 is not between -1073741824 and "
            "1073741824");
  EXPECT_EQ(Inferred(Slice{{0}, {0}, {1}}, {{3}}),
            "shape {0} has extent 0; extents must be at least 1");
}

TEST(MovementTest, Expand) {
  ExpectValues({
      {Expand{{2, 3}}, {Counting({2, 1})}, {2, 3}, {1, 1, 1, 2, 2, 2}},
      {Expand{{2, 1}}, {Counting({2})}, {2, 2}, {1, 2, 1, 2}},
      {Expand{{2, 2}}, {Counting({})}, {2, 2}, {1, 1, 1, 1}},
      {Expand{{}}, {Counting({2})}, {2}, {1, 2}},
  });
  EXPECT_EQ(Inferred(Expand{{3}}, {{2}}),
            "shapes {2} and {3} do not broadcast");
  EXPECT_EQ(Inferred(Expand{{int64_t{1} << 40}}, {{1}}),
            "shape {1099511627776} has more than 536870911 elements");
}

TEST(MovementTest, Pad) {
  const Array x = Counting({4});
  ExpectValues({
      {Pad{{1}, {2}, "constant", 9}, {x}, {7}, {9, 1, 2, 3, 4, 9, 9}},
      {Pad{{1}, {2}, "edge"}, {x}, {7}, {1, 1, 2, 3, 4, 4, 4}},
      {Pad{{3}, {2}, "reflect"}, {x}, {9}, {4, 3, 2, 1, 2, 3, 4, 3, 2}},
      {Pad{{1}, {5}, "wrap"}, {x}, {10}, {4, 1, 2, 3, 4, 1, 2, 3, 4, 1}},
      {Pad{{0, 1}, {1, 0}}, {Counting({1, 2})}, {2, 3}, {0, 1, 2, 0, 0, 0}},
      {Pad{}, {Counting({})}, {}, {1}},
  });
  EXPECT_EQ(Inferred(Pad{{1}, {}}, {{3}}),
            "before and after must have 1 numbers each, as the input has "
            "dimensions");
  EXPECT_EQ(Inferred(Pad{{1}, {3}, "reflect"}, {{3}}),
            "after = 3 is not between 0 and 2");
  EXPECT_EQ(Inferred(Pad{{-1}, {0}}, {{3}}),
            "before = -1 is not between 0 and 1073741824");
  EXPECT_EQ(Inferred(Pad{{1}, {1}, "mirror"}, {{3}}),
            "mode \"mirror\" is none of constant, reflect, edge and wrap");
  EXPECT_EQ(Inferred(Pad{{1}, {1}, "constant", 1e39}, {{3}}),
            "value = 1e+39 is no finite number");
  EXPECT_EQ(InferType(Pad{.value = 0.5}, {DataType::kInt64}).status().message(),
            "value = 0.5 is no int64");
  EXPECT_EQ(InferType(Pad{.value = 2}, {DataType::kBool}).status().message(),
            "value = 2 is no bool");
  EXPECT_EQ(*InferType(Pad{.value = 1}, {DataType::kBool}), DataType::kBool);
}

TEST(MovementTest, Gather) {
  const Array x = Counting({2, 3});
  ExpectValues({
      {Gather{1}, {x, {{2}, {2, -3}}}, {2, 2}, {3, 1, 6, 4}},
      {Gather{0}, {x, {{}, {1}}}, {3}, {4, 5, 6}},
      {Gather{1}, {x, {{1, 2}, {0, 1}}}, {2, 1, 2}, {1, 2, 4, 5}},
      // Outside is the nearest inside.
      {Gather{0}, {Counting({3}), {{3}, {3, -4, 1e18}}}, {3}, {3, 1, 3}},
  });
  EXPECT_EQ(Inferred(Gather{0}, {{}, {2}}), "axis = 0 is not between 0 and -1");
  EXPECT_EQ(Inferred(Gather{0}, {{30000}, {30000, 30000}}),
            "shape {30000, 30000} has more than 536870911 elements");
  for (const Operator& op :
       std::vector<Operator>{Gather{}, GatherElements{}, GatherNd{}}) {
    EXPECT_EQ(*InferType(op, {DataType::kBool, DataType::kInt64}),
              DataType::kBool);
    EXPECT_EQ(InferType(op, {DataType::kFloat32, DataType::kFloat32})
                  .status()
                  .message(),
              "input 1 is float32; it must be int64");
  }
}

TEST(MovementTest, GatherElements) {
  const Array x = Counting({2, 3});
  ExpectValues({
      {GatherElements{1}, {x, {{2, 2}, {2, 0, -1, 1}}}, {2, 2}, {3, 1, 6, 5}},
      {GatherElements{0}, {x, {{1, 2}, {1, 0}}}, {1, 2}, {4, 2}},
      {GatherElements{0}, {x, {{3, 1}, {1, 0, 1}}}, {3, 1}, {4, 1, 4}},
  });
  EXPECT_EQ(Inferred(GatherElements{0}, {{2, 3}, {2}}),
            "indices must have 2 dimensions, not 1");
  EXPECT_EQ(Inferred(GatherElements{0}, {{2, 3}, {5, 4}}),
            "indices of shape {5, 4} go beyond data of shape {2, 3}");
  EXPECT_EQ(Inferred(GatherElements{2}, {{2, 3}, {2, 3}}),
            "axis = 2 is not between 0 and 1");
}

TEST(MovementTest, GatherNd) {
  ExpectValues({
      {GatherNd{}, {Counting({2, 2}), {{2, 2}, {0, 0, 1, -1}}}, {2}, {1, 4}},
      {GatherNd{}, {Counting({2, 2}), {{2, 1}, {1, 0}}}, {2, 2}, {3, 4, 1, 2}},
      {GatherNd{1},
       {Counting({2, 2, 2}), {{2, 1}, {1, 0}}},
       {2, 2},
       {3, 4, 5, 6}},
      {GatherNd{}, {Counting({2, 2}), {{2}, {1, 0}}}, {}, {3}},
  });
  EXPECT_EQ(Inferred(GatherNd{}, {{2}, {}}),
            "indices must have at least 1 dimension");
  EXPECT_EQ(Inferred(GatherNd{}, {{2}, {2, 2}}),
            "the innermost extent of the indices = 2 is not between 1 and 1");
  EXPECT_EQ(Inferred(GatherNd{1}, {{2, 3}, {3, 1}}),
            "data of shape {2, 3} and indices of shape {3, 1} differ in the "
            "first 1 dimensions");
  EXPECT_EQ(Inferred(GatherNd{1}, {{2, 3}, {2}}),
            "batch_dims = 1 is not between 0 and 0");
}

TEST(MovementTest, ViewsHaveAnyType) {
  EXPECT_EQ(*InferType(Reshape{}, {DataType::kInt64}), DataType::kInt64);
  EXPECT_EQ(*InferType(Identity{}, {DataType::kBool}), DataType::kBool);
}

}  // namespace
}  // namespace pruner
