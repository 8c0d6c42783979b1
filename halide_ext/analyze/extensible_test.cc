#include "halide_ext/analyze/extensible.h"

#include "Halide.h"
#include "absl/status/status_matchers.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/regions.h"

namespace pruner {
namespace {

class ExtensibleTest : public testing::Test {
 protected:
  ExtensibleTest() {
    in_.set_estimates({{0, 64}, {0, 32}});
    clamped_(x_, y_) =
        in_(Halide::clamp(x_, 0, in_.width() - 1), y_) * Halide::cast<float>(2);
  }

  // Whether `func`, of which `out` reads all there is, is extensible.
  static bool IsExtensible(const Halide::Func& func, int d, Halide::Func out) {
    out.set_estimates({{0, 64}, {0, 32}});
    const auto regions = FindRegions(Halide::Pipeline(out), Sizes::kEstimates);
    EXPECT_THAT(regions, absl_testing::IsOk());
    return ExtensibleDimensions(*regions).Contains(func.function(), d);
  }

  Halide::Var x_{"x"}, y_{"y"};
  Halide::ImageParam in_{Halide::Float(32), 2, "in"};
  Halide::Func clamped_{"clamped"}, stage_{"stage"}, out_{"out"};
};

TEST_F(ExtensibleTest, InputsAreReadNoFurtherThanTheirClamps) {
  out_(x_, y_) = clamped_(x_ - 1, y_) + clamped_(x_ + 1, y_);
  EXPECT_TRUE(IsExtensible(clamped_, 0, out_));
  EXPECT_FALSE(IsExtensible(clamped_, 1, out_));
}

TEST_F(ExtensibleTest, ClampsAreFoundBehindOtherStages) {
  stage_(x_, y_) = clamped_(x_ / 2, y_) + clamped_(2 * x_ + 1, y_ % 4);
  out_(x_, y_) = stage_(x_, y_) + stage_(x_ + 1, y_);
  EXPECT_TRUE(IsExtensible(stage_, 0, out_));
  EXPECT_FALSE(IsExtensible(stage_, 1, out_));
}

TEST_F(ExtensibleTest, RemaindersAreClampedToo) {
  stage_(x_, y_) = clamped_(x_, y_ % 4);
  out_(x_, y_) = stage_(x_, y_) + stage_(x_ + 1, y_);
  EXPECT_TRUE(IsExtensible(stage_, 1, out_));
}

TEST_F(ExtensibleTest, UpdatesAskForInputsToo) {
  stage_(x_, y_) = clamped_(x_, 0);
  stage_(x_, y_) += in_(x_, 0);
  out_(x_, y_) = stage_(x_, y_) + stage_(x_ + 1, y_);
  EXPECT_FALSE(IsExtensible(stage_, 0, out_));
  EXPECT_TRUE(IsExtensible(stage_, 1, out_));
}

TEST_F(ExtensibleTest, BoundsAreKept) {
  stage_(x_, y_) = clamped_(x_, 0);
  stage_.bound(y_, 0, 32);
  out_(x_, y_) = stage_(x_, y_) + stage_(x_ + 1, y_);
  EXPECT_TRUE(IsExtensible(stage_, 0, out_));
  EXPECT_FALSE(IsExtensible(stage_, 1, out_));
}

TEST_F(ExtensibleTest, OutputsAreAsLargeAsTheirBuffers) {
  out_(x_, y_) = clamped_(x_, 0);
  EXPECT_FALSE(IsExtensible(out_, 0, out_));
}

}  // namespace
}  // namespace pruner
