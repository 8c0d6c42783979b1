#include "halide_ext/build/required_inputs.h"

#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::Var;
using ::testing::ElementsAre;

std::vector<int64_t> Numbers(const std::optional<Region>& region) {
  std::vector<int64_t> numbers;
  for (const Range& range : region.value_or(Region())) {
    numbers.push_back(range.min);
    numbers.push_back(range.max);
  }
  return numbers;
}

class RequiredInputsTest : public testing::Test {
 protected:
  RequiredInputsTest() { in_.set_estimates({{0, 100}, {0, 50}}); }

  const Var x_{"x"}, y_{"y"};
  Halide::ImageParam in_{Halide::Float(32), 2, "in"};
};

TEST_F(RequiredInputsTest, WhatIsReadIsAskedFor) {
  Func out("out");
  out(x_, y_) = in_(x_ - 1, y_ * 2);
  RequiredInputs required = RequiredInputs::Of(Halide::Pipeline(out)).value();
  EXPECT_THAT(required.names(), ElementsAre("in", "out"));
  const auto regions =
      required.For({{{.min = 0, .max = 9}, {.min = 5, .max = 7}}});
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_THAT(Numbers(regions[0]), ElementsAre(-1, 8, 10, 14));
  EXPECT_THAT(Numbers(regions[1]), ElementsAre(0, 9, 5, 7));
  EXPECT_EQ(required.RegionThatMatters(0), std::nullopt);
}

// Where no guard is true Halide asks for what there is.
TEST_F(RequiredInputsTest, GuardsDoNotMakeOwnBoundsMatter) {
  Func f("f"), out("out");
  const Var lanes("lanes");
  f(x_, y_) = in_(x_, y_) + 1;
  out(x_, y_) = f(Halide::clamp(x_, 0, 2), y_);
  f.compute_root()
      .split(x_, x_, lanes, 4, Halide::TailStrategy::GuardWithIf)
      .vectorize(lanes);
  RequiredInputs required = RequiredInputs::Of(Halide::Pipeline(out)).value();
  const auto regions =
      required.For({{{.min = 6, .max = 8}, {.min = 0, .max = 7}}});
  EXPECT_THAT(Numbers(regions[0]), ElementsAre(2, 2, 0, 7));
  EXPECT_EQ(required.RegionThatMatters(0), std::nullopt);
}

TEST_F(RequiredInputsTest, OwnBoundsMatterWhereReadsAreClampedToThem) {
  Func out("out");
  out(x_, y_) = Halide::BoundaryConditions::repeat_edge(in_)(x_ - 1, y_);
  RequiredInputs required = RequiredInputs::Of(Halide::Pipeline(out)).value();
  const auto regions =
      required.For({{{.min = 90, .max = 109}, {.min = -5, .max = 7}}});
  EXPECT_THAT(Numbers(regions[0]), ElementsAre(89, 99, 0, 7));
  EXPECT_THAT(Numbers(required.RegionThatMatters(0)),
              ElementsAre(0, 99, 0, 49));
}

TEST_F(RequiredInputsTest, OfAnOutputMoreMayBeReadThanIsAskedFor) {
  Func first("first"), second("second");
  first(x_) = in_(x_, 0);
  second(x_) = first(x_) + first(x_ + 3);
  RequiredInputs required =
      RequiredInputs::Of(Halide::Pipeline({first, second})).value();
  EXPECT_THAT(required.names(), ElementsAre("in", "first", "second"));
  const auto regions =
      required.For({{{.min = 0, .max = 9}}, {{.min = 0, .max = 9}}});
  EXPECT_THAT(Numbers(regions[1]), ElementsAre(0, 12));
  EXPECT_THAT(Numbers(regions[2]), ElementsAre(0, 9));
}

}  // namespace
}  // namespace pruner
