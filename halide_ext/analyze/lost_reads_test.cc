#include "halide_ext/analyze/lost_reads.h"

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

class LostReadsTest : public testing::Test {
 protected:
  LostReadsTest() {
    f_(x_) = Halide::cast<float>(x_);
    g_(x_) = Halide::cast<float>(x_) * 2.0f;
  }

  static bool Loses(const Halide::Func& func) {
    return LosesReads(func.function());
  }

  Halide::Var x_{"x"};
  Halide::Func f_{"f"}, g_{"g"}, out_{"out"};
};

TEST_F(LostReadsTest, DifferencesOfTheSameAreLost) {
  out_(x_) = f_(x_ + 1) - f_(x_ + 1) + g_(x_);
  EXPECT_TRUE(Loses(out_));
}

TEST_F(LostReadsTest, WhatIsReadElsewhereIsNot) {
  out_(x_) = f_(x_ + 1) - f_(x_ + 1) + f_(x_);
  EXPECT_FALSE(Loses(out_));
  EXPECT_FALSE(Loses(f_));
}

TEST_F(LostReadsTest, UpdatesLoseReadsToo) {
  out_(x_) = f_(x_);
  EXPECT_FALSE(Loses(out_));
  out_(x_) = Halide::max(out_(x_), g_(x_) - g_(x_));
  EXPECT_TRUE(Loses(out_));
}

TEST_F(LostReadsTest, WhatNoConditionLetsThroughIsLost) {
  out_(x_) = Halide::select(x_ < x_, f_(x_), g_(x_));
  EXPECT_TRUE(Loses(out_));
}

}  // namespace
}  // namespace pruner
