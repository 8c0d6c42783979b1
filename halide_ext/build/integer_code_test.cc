#include "halide_ext/build/integer_code.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;
using Halide::Expr;
using Halide::Int;

Expr X() { return hi::Variable::make(Int(32), "x"); }
Expr Y() { return hi::Variable::make(Int(32), "y"); }
Expr Unknown() { return hi::Variable::make(Int(32), "unknown"); }

// Where x is 5.
MaybeInt EvaluateAtFive(const Expr& expr) {
  IntegerCode code;
  code.slot(code.Bind("x")) = 5;
  std::set<int> reads;
  return code.Evaluate(code.Compile(expr, reads));
}

TEST(IntegerCodeTest, EvaluatesAsHalidesSimplifierDoes) {
  const Expr x = X(), y = Y();
  const std::vector<Expr> exprs = {
      x + y * 3 - 7,
      x / 4 + y % 4,
      x / y,
      x % y,
      min(x, y) + max(x, 2),
      select(x < y && x != -3, x, y),
      select(x <= y || !(x == 2), x + 1, y),
      select(x > y, 1, select(x >= y, 2, 3)),
      Halide::cast<int>(Halide::cast<uint8_t>(x * 100)),
      Halide::cast<int>(Halide::cast<int8_t>(x * 100)),
      Halide::cast<int>(Halide::cast<bool>(x)),
      Halide::cast<int>(absd(x, y)) + Halide::cast<int>(abs(x)),
      (x & y) + (x | y) * 3 + (x ^ y) * 5 + ~x,
      (x << 3) + (y >> 1),
      hi::Let::make("z", x + 1, X() * hi::Variable::make(Int(32), "z")),
      likely(x) + likely_if_innermost(y)};
  for (const Expr& expr : exprs) {
    IntegerCode code;
    const int slot_x = code.Bind("x"), slot_y = code.Bind("y");
    std::set<int> reads;
    const int id = code.Compile(expr, reads);
    for (int i = -9; i <= 9; ++i) {
      for (int j = -9; j <= 9; ++j) {
        code.slot(slot_x) = i;
        code.slot(slot_y) = j;
        const std::map<std::string, Expr> values = {{"x", i}, {"y", j}};
        const Expr expected =
            hi::simplify(hi::remove_likelies(hi::substitute(values, expr)));
        ASSERT_NE(expected.as<hi::IntImm>(), nullptr) << expected;
        EXPECT_EQ(code.Evaluate(id), expected.as<hi::IntImm>()->value)
            << expr << " at " << i << ", " << j;
      }
    }
  }
}

// As what a float that becomes an index may be.
TEST(IntegerCodeTest, FloatsAreKnownWhileTheyAreWholeNumbers) {
  const Expr x = Halide::cast<float>(X());
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(
                max(select(X() > 4, 64.0f, Expr(0.5f)), x * 3.0f - 1.0f))),
            64);
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(
                max(select(X() < 4, 64.0f, Expr(0.5f)), x * 3.0f - 1.0f))),
            std::nullopt);
  // This one is rounded.
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(x * 4194304.0f)), std::nullopt);
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(x * 2097152.0f)), 5 * 2097152);
}

TEST(IntegerCodeTest, WhatIsNotKnownIsNone) {
  const Expr load =
      hi::Load::make(Int(32), "tensor", X(), {}, {}, hi::const_true(), {});
  EXPECT_EQ(EvaluateAtFive(X() + Unknown()), std::nullopt);
  EXPECT_EQ(EvaluateAtFive(min(X(), load)), std::nullopt);
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(Halide::cast<float>(X()) / 2.0f)),
            std::nullopt);
  EXPECT_EQ(EvaluateAtFive(Halide::cast<int>(Halide::cast<float>(X()) + 0.5f)),
            std::nullopt);
  // One side decides.
  EXPECT_EQ(EvaluateAtFive(X() < 3 && Unknown() < 3), 0);
  EXPECT_EQ(EvaluateAtFive(Unknown() < 3 || X() > 3), 1);
  EXPECT_EQ(EvaluateAtFive(select(Unknown() < 3, X(), X())), 5);
}

TEST(IntegerCodeTest, ABindingFurtherInHidesOneFurtherOut) {
  IntegerCode code;
  std::set<int> reads;
  const int outer = code.Bind("x");
  const int inner = code.Bind("x");
  code.slot(outer) = 1;
  code.slot(inner) = 2;
  EXPECT_EQ(code.Evaluate(code.Compile(X(), reads)), 2);
  EXPECT_EQ(reads, std::set<int>{inner});
  code.Unbind("x");
  EXPECT_EQ(code.Evaluate(code.Compile(X(), reads)), 1);
}

}  // namespace
}  // namespace pruner
