// Kernels of operators that are defined by an element of each input: over the
// numbers that they take, in scalar code and under the default schedule, whose
// vectors have other code for many functions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/ops/op_pipeline.h"
#include "models/ops/testing.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

constexpr DataType kFloat = DataType::kFloat32, kInt = DataType::kInt64,
                   kBool = DataType::kBool;

struct Operand {
  DataType type;
  Values values;
};

TargetSpec Host() {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

Kernel CompileDefaultSchedule(const WorkloadPipeline& pipeline,
                              const TargetSpec& target) {
  const SketchContext context = {.dag = pipeline.analyzed().dag,
                                 .target = target};
  const ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  return *pipeline.Compile(*sampler.DefaultSchedule(), target);
}

void ExpectComputes(const Subgraph& subgraph, const std::vector<Array>& inputs,
                    double tolerance) {
  SCOPED_TRACE(PrintSubgraph(subgraph));
  const TargetSpec target = Host();
  const absl::StatusOr<OpPipeline> op = BuildPipeline(subgraph, target);
  ASSERT_TRUE(op.ok()) << op.status();
  const Array expected = (*RunGraph(subgraph.body, inputs))[0];
  const WorkloadPipeline pipeline = StoreAndLoad(*op);
  const absl::StatusOr<Kernel> plain = pipeline.CompileReference();
  ASSERT_TRUE(plain.ok()) << plain.status();
  const Kernel scheduled = CompileDefaultSchedule(pipeline, target);
  for (const Kernel* kernel : {&*plain, &scheduled}) {
    SCOPED_TRACE(kernel == &scheduled ? "scheduled" : "plain");
    const Array got = RunKernel(*kernel, pipeline, *op, inputs);
    EXPECT_LE(RelativeDifference({expected.shape, got.values}, expected),
              tolerance);
  }
}

// The operator alone, on operands of one dimension.
void ExpectComputes(const Operator& op, const std::vector<Operand>& operands,
                    double tolerance) {
  std::vector<Array> inputs;
  for (const Operand& operand : operands) {
    inputs.push_back(
        {{static_cast<int64_t>(operand.values.size())}, operand.values});
  }
  const Subgraph subgraph = OnlySubgraph([&](GraphBuilder& b) {
    std::vector<TensorId> ids;
    for (size_t i = 0; i < operands.size(); ++i) {
      ids.push_back(
          b.Input(absl::StrCat("x", i), inputs[i].shape, operands[i].type));
    }
    b.Output(b.Apply("y", op, ids));
  });
  ExpectComputes(subgraph, inputs, tolerance);
}

constexpr int kPoints = 96;  // whole vectors

// Floats at equal distances, without the end: half of them are below the
// middle, which is one.
Values Spread(double low, double high) {
  Values values;
  for (int i = 0; i < kPoints; ++i) {
    const double value = low + (high - low) * i / kPoints;
    values.push_back(static_cast<float>(value));
  }
  return values;
}

// The same in another order, which pairs them with Spread's.
Values Scattered(double low, double high) {
  const Values ordered = Spread(low, high);
  Values values;
  for (int i = 0; i < kPoints; ++i) values.push_back(ordered[i * 41 % kPoints]);
  return values;
}

// Between these and, if 0 is, near 0, where a difference of large numbers would
// lose what there is.
TEST(ElementwisePipelineTest, FunctionsOfOneNumber) {
  struct Range {
    Operator op;
    double low, high;
  };
  for (const Range& range : std::vector<Range>{
           {Neg{}, -3, 3},
           {Abs{}, -3, 3},
           {Sign{}, -3, 3},
           {Floor{}, -6, 6},
           {Ceil{}, -6, 6},
           {Round{}, -6, 6},
           {Exp{}, -20, 3},
           {Log{}, 0.01, 8},
           {Log{}, 0.999, 1.001},
           {Sqrt{}, 0, 9},
           {Reciprocal{}, 0.5, 4},
           {Reciprocal{}, -4, -0.5},
           {Erf{}, -4, 4},
           {Sin{}, -9, 9},
           {Cos{}, -9, 9},
           {Tan{}, -1.4, 1.4},
           {Asin{}, -1, 1},
           {Acos{}, -1, 1},
           {Atan{}, -9, 9},
           {Sinh{}, -4, 4},
           {Cosh{}, -4, 4},
           {Asinh{}, -9, 9},
           {Acosh{}, 1, 9},
           {Acosh{}, 1, 1.001},
           {Atanh{}, -0.95, 0.95},
           {Elu{.alpha = 1.5}, -9, 9},
           {Selu{}, -9, 9},
           {Celu{.alpha = 0.5}, -9, 9},
           {Mish{}, -90, 9},
           {Softsign{}, -9, 9},
           {ThresholdedRelu{.alpha = 0.5}, -3, 3},
           {Shrink{.bias = 0.25, .lambd = 0.5}, -3, 3},
           {Swish{.alpha = 1.5}, -90, 9},
       }) {
    ExpectComputes(range.op, {{kFloat, Spread(range.low, range.high)}}, 1e-6);
    if (range.low > 0 || range.high < 0) continue;
    ExpectComputes(range.op,
                   {{kFloat, Spread(std::max(range.low, -1e-3), 1e-3)}}, 1e-6);
  }
}

TEST(ElementwisePipelineTest, ArithmeticOfFloats) {
  const Values left = Spread(-20, 20), right = Scattered(-3, 3);
  for (const Operator& op : std::vector<Operator>{Sub{}, Mul{}, Min{}, Max{},
                                                  Mod{}, FloatMod{}, PRelu{}}) {
    ExpectComputes(op, {{kFloat, left}, {kFloat, right}}, 1e-6);
  }
  ExpectComputes(Div{}, {{kFloat, left}, {kFloat, Scattered(0.5, 3)}}, 1e-6);
}

TEST(ElementwisePipelineTest, Powers) {
  ExpectComputes(Pow{},
                 {{kFloat, Spread(0.125, 4)}, {kFloat, Scattered(-2.5, 2.5)}},
                 1e-6);
  ExpectComputes(
      Pow{}, {{kFloat, {0, 0, 4, 0.25, 1}}, {kFloat, {0, 2.5, 0.5, -0.5, 100}}},
      1e-6);
  // Of negative numbers.
  for (const double exponent : {-3, -2, 0, 1, 2, 3, 4, 5}) {
    ExpectComputes(
        Pow{},
        {{kFloat, Spread(-3, -0.5)}, {kFloat, Values(kPoints, exponent)}},
        1e-6);
  }
}

const Values kWhole = {7, -7, 7, -7, 6, -6, 0, 5, -5, 1e15 + 1, -1e15 - 1, 8};
const Values kDivisors = {4, 4, -4, -4, 3, 3, 2, 0, -1, 10, 10, 16};

TEST(ElementwisePipelineTest, ArithmeticOfIntegers) {
  for (const Operator& op : std::vector<Operator>{
           Sub{}, IntDiv{}, Min{}, Max{}, Mod{}, FloatMod{}, Equal{}, Greater{},
           GreaterOrEqual{}, Less{}, LessOrEqual{}}) {
    ExpectComputes(op, {{kInt, kWhole}, {kInt, kDivisors}}, 0);
  }
  ExpectComputes(Mul{}, {{kInt, kDivisors}, {kInt, kDivisors}}, 0);
  for (const Operator& op :
       std::vector<Operator>{Neg{}, Abs{}, Sign{}, CastToInt64{}, CastToBool{}})
    ExpectComputes(op, {{kInt, kWhole}}, 0);
  ExpectComputes(CastToFloat{}, {{kInt, kWhole}}, 1e-7);
}

TEST(ElementwisePipelineTest, NoDivisionTraps) {
  const double lowest = -0x1p63;
  for (const Operator& op :
       std::vector<Operator>{IntDiv{}, Mod{}, FloatMod{}}) {
    // The double below -2^63 / -1 is no int64; what the others say holds.
    ExpectComputes(op, {{kInt, {lowest, lowest, 3}}, {kInt, {0, 1, -1}}}, 0);
    const Subgraph subgraph = OnlySubgraph([&](GraphBuilder& b) {
      b.Output(
          b.Apply("y", op, {b.Input("a", {1}, kInt), b.Input("b", {1}, kInt)}));
    });
    const OpPipeline built = *BuildPipeline(subgraph, Host());
    const WorkloadPipeline pipeline = StoreAndLoad(built);
    RunKernel(*pipeline.CompileReference(), pipeline, built,
              {{{1}, {lowest}}, {{1}, {-1}}});
  }
}

TEST(ElementwisePipelineTest, ComparisonsAndCastsOfFloats) {
  Values left = Spread(-3, 3), right = Scattered(-3, 3);
  for (int i = 0; i < kPoints; i += 3) right[i] = left[i];
  for (const Operator& op : std::vector<Operator>{
           Equal{}, Greater{}, GreaterOrEqual{}, Less{}, LessOrEqual{}}) {
    ExpectComputes(op, {{kFloat, left}, {kFloat, right}}, 0);
  }
  left[0] = 1e30;
  left[1] = -1e30;
  for (const Operator& op : std::vector<Operator>{CastToInt64{}, CastToBool{}})
    ExpectComputes(op, {{kFloat, left}}, 0);
  ExpectComputes(CastToFloat{}, {{kFloat, right}}, 0);
}

// Also of what the same kernel computes, whose code assumes that there are
// none.
TEST(ElementwisePipelineTest, WhatIsNoNumber) {
  Values values = Spread(-3, 3);
  ExpectComputes(IsNan{}, {{kFloat, values}}, 0);
  const Shape shape = {static_cast<int64_t>(values.size())};
  const Subgraph roots = OnlySubgraph([&](GraphBuilder& b) {
    const TensorId root = b.Apply("root", Sqrt{}, {b.Input("x", shape)});
    b.Output(b.Apply("y", IsNan{}, {root}));
  });
  ExpectComputes(roots, {{shape, values}}, 0);
  values[3] = std::nan("");
  values[7] = HUGE_VAL;
  ExpectComputes(IsNan{}, {{kFloat, values}}, 0);
}

TEST(ElementwisePipelineTest, LogicAndChoices) {
  const Operand left = {kBool, {0, 0, 1, 1, 0}},
                right = {kBool, {0, 1, 0, 1, 1}};
  for (const Operator& op :
       std::vector<Operator>{And{}, Or{}, Xor{}, Equal{}}) {
    ExpectComputes(op, {left, right}, 0);
  }
  for (const Operator& op : std::vector<Operator>{
           Not{}, CastToFloat{}, CastToInt64{}, CastToBool{}}) {
    ExpectComputes(op, {left}, 0);
  }
  const Values numbers = {1, -2, 3, 4, -5};
  ExpectComputes(Where{}, {left, {kFloat, numbers}, {kFloat, {6, 7, 8, 9, 10}}},
                 0);
  ExpectComputes(Where{}, {left, {kInt, numbers}, {kInt, {6, 7, 8, 9, 10}}}, 0);
  ExpectComputes(Where{}, {left, right, {kBool, {1, 1, 0, 0, 1}}}, 0);
}

// In the kernel of a matrix product, before operators that follow.
TEST(ElementwisePipelineTest, BehindAnAnchor) {
  const Shape output = {6, 24};
  for (const Operator& op : std::vector<Operator>{
           Erf{}, Sin{}, Atan{}, Asinh{}, Selu{}, Celu{}, Mish{}, Softsign{},
           Swish{.alpha = 0.5}, Sub{}, Mul{}, Max{}, PRelu{}, Where{}}) {
    const Subgraph subgraph = OnlySubgraph([&](GraphBuilder& b) {
      const TensorId sums =
          b.Dense("sums", b.Input("x", {6, 40}),
                  b.Constant("weights", {40, 24}, {RandomValues{.low = -1}}));
      const TensorId channel =
          b.Constant("channel", {24}, {RandomValues{.seed = 1, .low = -1}});
      std::vector<TensorId> operands = {sums};
      if (KindOf(op).arity() == 3)
        operands = {b.Input("mask", {6, 1}, kBool), b.Input("other", output)};
      if (KindOf(op).arity() == 3) operands.insert(operands.begin() + 1, sums);
      if (KindOf(op).arity() == 2) operands.push_back(channel);
      const TensorId y = b.Apply("y", op, operands);
      b.Output(b.Relu("relu", b.BiasAdd("biased", y, channel)));
    });
    ExpectComputes(subgraph, RandomInputs(subgraph.body, 1), 5e-6);
  }
}

}  // namespace
}  // namespace pruner
