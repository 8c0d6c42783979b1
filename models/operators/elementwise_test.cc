// Operators that are defined by an element of each input: what they compute,
// of what types they are, and what they refuse.
#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/operators/operators.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

Array Row(const Values& values) {
  return {{static_cast<int64_t>(values.size())}, values};
}

Values Apply(const Operator& op, const std::vector<Values>& inputs) {
  std::vector<Array> arrays;
  for (const Values& input : inputs) arrays.push_back(Row(input));
  std::vector<Shape> shapes;
  std::vector<const Array*> pointers;
  for (const Array& array : arrays) {
    shapes.push_back(array.shape);
    pointers.push_back(&array);
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  EXPECT_TRUE(shape.ok()) << shape.status();
  return EvaluateOperator(op, pointers, *shape, 1).values;
}

struct ValueCase {
  Operator op;
  std::vector<Values> inputs;
  Values output;
};

void ExpectValues(const std::vector<ValueCase>& cases) {
  for (const ValueCase& test : cases) {
    EXPECT_THAT(Apply(test.op, test.inputs),
                testing::Pointwise(testing::DoubleNear(1e-9), test.output))
        << OperatorText(test.op);
  }
}

TEST(ElementwiseTest, Arithmetic) {
  ExpectValues({
      {Sub{}, {{1, 2, 3}, {5}}, {-4, -3, -2}},
      {Mul{}, {{1, -2, 3}, {2, 3, 4}}, {2, -6, 12}},
      {Div{}, {{1, -3, 3}, {2, 2, 4}}, {0.5, -1.5, 0.75}},
      {IntDiv{}, {{7, -7, 7, -7, 7}, {2, 2, -2, -2, 0}}, {3, -3, -3, 3, 0}},
      {Min{}, {{1, -2}, {0, 0}}, {0, -2}},
      {Max{}, {{1, -2}, {0, 0}}, {1, 0}},
      {Mod{},
       {{7, -7, 7, -7, 6, -6, 5}, {4, 4, -4, -4, 3, 3, 0}},
       {3, 1, -1, -3, 0, 0, 0}},
      {FloatMod{},
       {{7, -7, 7, -7, 6, 5, -5.5}, {4, 4, -4, -4, 3, 0, 2}},
       {3, -3, 3, -3, 0, 0, -1.5}},
      {Pow{},
       {{2, -2, -2, 9, -0.5, 3}, {3, 3, 2, 0.5, -3, 0}},
       {8, -8, 4, 3, -8, 1}},
      {PRelu{}, {{2, -2, -4}, {3, 0.5, -1}}, {2, -1, 4}},
  });
}

TEST(ElementwiseTest, Functions) {
  const double pi = 3.14159265358979;
  ExpectValues({
      {Neg{}, {{2, -3}}, {-2, 3}},
      {Abs{}, {{2, -3}}, {2, 3}},
      {Sign{}, {{2, -3, 0}}, {1, -1, 0}},
      {Floor{}, {{1.5, -1.5, 2}}, {1, -2, 2}},
      {Ceil{}, {{1.5, -1.5, 2}}, {2, -1, 2}},
      {Round{}, {{0.5, 1.5, 2.5, -0.5, -1.5, 2.4}}, {0, 2, 2, 0, -2, 2}},
      {Exp{}, {{0, 1}}, {1, 2.718281828459}},
      {Log{}, {{1, 10}}, {0, 2.302585092994}},
      {Sqrt{}, {{0, 2.25}}, {0, 1.5}},
      {Reciprocal{}, {{4, -0.5}}, {0.25, -2}},
      {Erf{}, {{0, 0.5, -1}}, {0, 0.5204998778130, -0.8427007929497}},
      {Sin{}, {{0, pi / 6}}, {0, 0.5}},
      {Cos{}, {{0, pi / 3}}, {1, 0.5}},
      {Tan{}, {{0, pi / 4}}, {0, 1}},
      {Asin{}, {{0, 0.5}}, {0, pi / 6}},
      {Acos{}, {{1, 0.5}}, {0, pi / 3}},
      {Atan{}, {{0, -1}}, {0, -pi / 4}},
      {Sinh{}, {{0, 1}}, {0, 1.1752011936438}},
      {Cosh{}, {{0, 1}}, {1, 1.5430806348152}},
      {Asinh{}, {{0, 1.1752011936438}}, {0, 1}},
      {Acosh{}, {{1, 1.5430806348152}}, {0, 1}},
      {Atanh{}, {{0, 0.7615941559558}}, {0, 1}},
  });
}

TEST(ElementwiseTest, Activations) {
  const double below = std::exp(-1.0) - 1;
  ExpectValues({
      {Selu{},
       {{1, -1}},
       {1.0507010221481323, 1.0507010221481323 * 1.6732631921768188 * below}},
      {Selu{.alpha = 2, .gamma = 3}, {{1, -1}}, {3, 6 * below}},
      {Celu{.alpha = 2}, {{1, -2}}, {1, 2 * below}},
      {Mish{}, {{0}}, {0}},
      // tanh(log(1 + 3)) = 15/17.
      {Mish{}, {{std::log(3.0)}}, {std::log(3.0) * 15 / 17}},
      {Softsign{}, {{1, -3}}, {0.5, -0.75}},
      {ThresholdedRelu{.alpha = 2}, {{1, 2, 2.5}}, {0, 0, 2.5}},
      {Shrink{.bias = 0.25, .lambd = 1},
       {{-2, -1, 0.5, 1.5}},
       {-1.75, 0, 0, 1.25}},
      {Swish{.alpha = 2},
       {{0, 0.5, -0.5}},
       {0, 0.5 / (1 + std::exp(-1.0)), -0.5 / (1 + std::exp(1.0))}},
  });
}

TEST(ElementwiseTest, ComparisonsLogicAndChoices) {
  const std::vector<Values> numbers = {{1, 2, 3}, {2, 2, 2}};
  const std::vector<Values> truths = {{0, 0, 1, 1}, {0, 1, 0, 1}};
  ExpectValues({
      {Equal{}, numbers, {0, 1, 0}},
      {Greater{}, numbers, {0, 0, 1}},
      {GreaterOrEqual{}, numbers, {0, 1, 1}},
      {Less{}, numbers, {1, 0, 0}},
      {LessOrEqual{}, numbers, {1, 1, 0}},
      {And{}, truths, {0, 0, 0, 1}},
      {Or{}, truths, {0, 1, 1, 1}},
      {Xor{}, truths, {0, 1, 1, 0}},
      {Not{}, {{0, 1}}, {1, 0}},
      {IsNan{}, {{std::nan(""), 1, -HUGE_VAL}}, {1, 0, 0}},
      {Where{}, {{1, 0, 1}, {5}, {7, 8, 9}}, {5, 8, 5}},
      {CastToFloat{}, {{2.5, -1}}, {2.5, -1}},
      {CastToInt64{}, {{2.5, -2.5, 1e30}}, {2, -2, 9223371487098961920.0}},
      {CastToBool{}, {{0, 2.5, -1}}, {0, 1, 1}},
  });
}

TEST(ElementwiseTest, OperandsBroadcast) {
  const std::vector<Shape> shapes = {{3, 1}, {2, 1, 1}, {4}};
  const absl::StatusOr<Shape> shape = InferShape(Where{}, shapes);
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_EQ(*shape, (Shape{2, 3, 4}));
  EXPECT_EQ(CountFlops(Where{}, shapes, *shape), 24);
  EXPECT_EQ(InferShape(PRelu{}, {{3, 4}, {3}}).status().message(),
            "shapes {3, 4} and {3} do not broadcast");
}

TEST(ElementwiseTest, Types) {
  constexpr DataType kFloat = DataType::kFloat32, kInt = DataType::kInt64,
                     kBool = DataType::kBool;
  struct TypeCase {
    Operator op;
    std::vector<DataType> inputs;
    std::string output;  // or the message
  };
  for (const TypeCase& test : std::vector<TypeCase>{
           {Sub{}, {kInt, kInt}, "int64"},
           {Mul{}, {kFloat, kFloat}, "float32"},
           {Mul{},
            {kFloat, kInt},
            "inputs must be of one type, not float32 and int64"},
           {Min{}, {kBool, kBool}, "input 0 is bool; it must be a number"},
           {Div{}, {kInt, kInt}, "input 0 is int64; it must be float32"},
           {IntDiv{}, {kInt, kInt}, "int64"},
           {IntDiv{}, {kInt, kFloat}, "input 1 is float32; it must be int64"},
           {Abs{}, {kInt}, "int64"},
           {Floor{}, {kInt}, "input 0 is int64; it must be float32"},
           {Equal{}, {kBool, kBool}, "bool"},
           {Less{}, {kInt, kInt}, "bool"},
           {Less{}, {kBool, kBool}, "input 0 is bool; it must be a number"},
           {And{}, {kBool, kBool}, "bool"},
           {Not{}, {kFloat}, "input 0 is float32; it must be bool"},
           {IsNan{}, {kFloat}, "bool"},
           {IsNan{}, {kInt}, "input 0 is int64; it must be float32"},
           {Where{}, {kBool, kInt, kInt}, "int64"},
           {Where{}, {kInt, kInt, kInt}, "input 0 is int64; it must be bool"},
           {Where{},
            {kBool, kInt, kFloat},
            "inputs must be of one type, not int64 and float32"},
           {CastToFloat{}, {kBool}, "float32"},
           {CastToInt64{}, {kFloat}, "int64"},
           {CastToBool{}, {kInt}, "bool"},
       }) {
    const absl::StatusOr<DataType> type = InferType(test.op, test.inputs);
    EXPECT_EQ(type.ok() ? DataTypeName(*type) : type.status().message(),
              test.output)
        << OperatorText(test.op);
  }
}

TEST(ElementwiseTest, RefusesAttributes) {
  const auto error = [](const Operator& op) {
    return std::string(InferShape(op, {{4}}).status().message());
  };
  EXPECT_EQ(error(Selu{.alpha = 1e30, .gamma = 1e30}),
            "gamma * alpha = 1e+60 is no finite number");
  EXPECT_EQ(error(Celu{.alpha = 0}), "alpha = 0 is not positive");
  EXPECT_EQ(error(Celu{.alpha = 1e-40}),
            "1 / alpha = 1e+40 is no finite number");
  EXPECT_EQ(error(Swish{.alpha = std::nan("")}),
            "alpha = nan is no finite number");
}

}  // namespace
}  // namespace pruner
