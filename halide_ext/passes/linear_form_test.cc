#include "halide_ext/passes/linear_form.h"

#include <sstream>
#include <string>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

std::string ToText(const Expr& expr) {
  std::ostringstream text;
  text << expr;
  return text.str();
}

class LinearFormTest : public ::testing::Test {
 protected:
  // Expects that the difference is this number.
  void ExpectApart(const Expr& a, const Expr& b, int64_t constant) {
    const LinearForm difference = Difference(LinearFormOf(a), LinearFormOf(b));
    EXPECT_EQ(difference.constant, constant);
    EXPECT_TRUE(difference.terms.empty())
        << ToText(a) << " and " << ToText(b) << " differ by "
        << ToText(ToExpr(difference));
  }

  const Expr x_ = ir::Variable::make(Halide::Int(32), "x");
  const Expr y_ = ir::Variable::make(Halide::Int(32), "y");
  const Expr z_ = ir::Variable::make(Halide::Int(32), "z");
};

TEST_F(LinearFormTest, SumsAreSorted) {
  ExpectApart(x_ + y_ + 1, y_ + x_, 1);
  ExpectApart((x_ - y_) * 14 + (z_ + y_ * 14), z_ + x_ * 14, 0);
  ExpectApart((x_ * 2 + 3) * 4 - x_ * 8, Expr(0), 12);
  ExpectApart(x_ * 5 - x_ * 5, Expr(0), 0);
}

TEST_F(LinearFormTest, QuotientsAndRemaindersOfMultiples) {
  ExpectApart((x_ * 8 + 13) / 4, x_ * 2, 3);
  ExpectApart((x_ * 8 - 13) / 4, x_ * 2, -4);
  ExpectApart((x_ * 8 + y_ + 9) / 8, x_ + (y_ + 1) / 8, 1);
  ExpectApart((x_ * 8 + y_ + 9) % 8, (y_ + 1) % 8, 0);
  ExpectApart((x_ * 8 - 3) % 8, Expr(0), 5);
  ExpectApart((x_ % 56) % 8, x_ % 8, 0);
}

TEST_F(LinearFormTest, LooksInsideTerms) {
  ExpectApart(Halide::min(x_ + y_, z_) + 1, Halide::min(y_ + x_, z_), 1);
  ExpectApart((x_ + y_) * z_, z_ * (y_ + x_), 0);
  ExpectApart((y_ + x_) / z_, (x_ + y_) / z_, 0);
}

TEST_F(LinearFormTest, PutsQuotientsAndRemaindersTogether) {
  ExpectApart(x_ / 32 * 32 + x_ % 32 + 64, x_, 64);
  ExpectApart(x_ * 3, x_ / 32 * 96 + x_ % 32 * 3, 0);
  ExpectApart((x_ + y_) / 8 * 16 + (y_ + x_) % 8 * 2, (y_ + x_) * 2, 0);
}

TEST_F(LinearFormTest, WhatDiffersStaysDifferent) {
  for (const auto& [a, b] :
       std::vector<std::pair<Expr, Expr>>{{x_, y_},
                                          {x_ * 2, x_ * 3},
                                          {x_ / 4, (x_ + 1) / 4},
                                          {(x_ * 6) / 4, x_},
                                          {x_ % 8, x_ % 4},
                                          {(x_ % 12) % 8, x_ % 8},
                                          {x_ / 32 * 16 + x_ % 32, x_},
                                          {x_ * y_, x_ * z_},
                                          {x_ / -4, x_ / 4}}) {
    EXPECT_FALSE(Difference(LinearFormOf(a), LinearFormOf(b)).terms.empty())
        << ToText(a) << " and " << ToText(b);
  }
}

// Against the values of the expressions themselves.
TEST_F(LinearFormTest, KeepsTheValue) {
  for (const Expr& expr :
       {(x_ * 12 + y_ * 3 - 7) / 6 + z_, (x_ * 12 + y_ * 3 - 7) % 6 - z_ * 2,
        ((x_ - y_) * 4 + z_) / 4 - ((x_ % 12) % 4) * 3,
        Halide::max(x_ * 3 - x_, y_) * 2 + (z_ * -3 + 1) / 2}) {
    const Expr same = ToExpr(LinearFormOf(expr));
    for (int x = -3; x < 3; ++x) {
      for (int y = -2; y < 3; ++y) {
        for (int z = -3; z < 2; ++z) {
          const std::map<std::string, Expr> at = {{"x", x}, {"y", y}, {"z", z}};
          EXPECT_EQ(ir::as_const_int(ir::simplify(ir::substitute(at, same))),
                    ir::as_const_int(ir::simplify(ir::substitute(at, expr))))
              << ToText(expr) << " became " << ToText(same);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pruner
