#include "models/operators/resize.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/operators/operators.h"
#include "models/operators/testing.h"

namespace pruner {
namespace {

using Values = std::vector<double>;

Values Resized(const Resize& op, const Values& x) {
  const auto extent = static_cast<int64_t>(x.size());
  return Evaluate(op, {{{extent}, x}}).values;
}

void ExpectNear(const Values& got, const Values& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-6) << i;
}

TEST(ResizeTest, NearestModes) {
  const Values x = {1, 2, 3, 4};
  // Positions 0, 0.5, 1, 1.5, ...
  Resize op{.sizes = {8}, .scales = {2}, .coordinates = "asymmetric"};
  EXPECT_EQ(Resized(op, x), (Values{1, 1, 2, 2, 3, 3, 4, 4}));
  op.nearest_mode = "round_prefer_ceil";
  EXPECT_EQ(Resized(op, x), (Values{1, 2, 2, 3, 3, 4, 4, 4}));
  op.nearest_mode = "floor";
  EXPECT_EQ(Resized(op, x), (Values{1, 1, 2, 2, 3, 3, 4, 4}));
  op.nearest_mode = "ceil";
  EXPECT_EQ(Resized(op, x), (Values{1, 2, 2, 3, 3, 4, 4, 4}));
}

TEST(ResizeTest, NearestOfThirdsIsExact) {
  // 3 * (5 / 3) and the like are whole numbers.
  for (int64_t out = 1; out <= 60; ++out) {
    for (int64_t in = 1; in <= 60; ++in) {
      Values x(in);
      for (int64_t i = 0; i < in; ++i) x[i] = static_cast<double>(i);
      const Values got = Resized(
          {.sizes = {out},
           .scales = {static_cast<double>(out) / static_cast<double>(in)},
           .coordinates = "asymmetric",
           .nearest_mode = "floor"},
          x);
      for (int64_t i = 0; i < out; ++i)
        ASSERT_EQ(got[i], i * in / out) << in << " " << out << " " << i;
    }
  }
}

// Expected values are those of ONNX's own node tests.
TEST(ResizeTest, Linear) {
  const Array x = Counting({2, 2});
  const Resize up{.mode = "linear", .sizes = {4, 4}, .scales = {2, 2}};
  ExpectNear(Evaluate(up, {x}).values,
             {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3,
              3.25, 3.75, 4});
  const Resize aligned{.mode = "linear",
                       .sizes = {4, 4},
                       .scales = {2, 2},
                       .coordinates = "align_corners"};
  ExpectNear(Evaluate(aligned, {x}).values,
             {1, 4. / 3, 5. / 3, 2, 5. / 3, 2, 7. / 3, 8. / 3, 7. / 3, 8. / 3,
              3, 10. / 3, 3, 10. / 3, 11. / 3, 4});
  // Of 2 x 4, of which 0.6 is less than 3 columns.
  ExpectNear(
      Evaluate(Resize{.mode = "linear", .sizes = {1, 2}, .scales = {0.6, 0.6}},
               {Counting({2, 4})})
          .values,
      {2.6666665, 4.3333331});
  ExpectNear(Evaluate(Resize{.mode = "linear",
                             .sizes = {1, 2},
                             .scales = {0.6, 0.6},
                             .coordinates = "half_pixel_symmetric"},
                      {Counting({2, 4})})
                 .values,
             {4.5 - 5. / 6, 4.5 + 5. / 6});  // around the middle
}

TEST(ResizeTest, Cubic) {
  // By hand: positions -0.25, 0.25, 0.75 and 1.25 of {1, 2}. At 0.25 the
  // weights for a = -0.75 are -0.10546875, 0.87890625, 0.26171875 and
  // -0.03515625: the first two elements are 1, the others 2.
  const Resize up{.mode = "cubic", .sizes = {4}, .scales = {2}};
  ExpectNear(Resized(up, {1, 2}),
             {0.89453125, 1.2265625, 1.7734375, 2.10546875});
  // Without the outer two: 0.87890625 and 0.26171875 of 1.140625.
  Resize excluding = up;
  excluding.exclude_outside = true;
  EXPECT_NEAR(Resized(excluding, {1, 2})[1], 1 + 0.26171875 / 1.140625, 1e-6);
}

TEST(ResizeTest, CropsAndExtrapolates) {
  const Resize crop{.mode = "linear",
                    .sizes = {3},
                    .scales = {1},
                    .coordinates = "tf_crop_and_resize",
                    .roi = {0.5, 1.5},
                    .extrapolation_value = 10};
  // Positions 1, 2 and 3.
  EXPECT_EQ(Resized(crop, {1, 2, 3}), (Values{2, 3, 10}));
  Resize one = crop;
  one.sizes = {1};
  one.roi = {0, 0.5};
  EXPECT_EQ(Resized(one, {1, 2, 3}), (Values{1.5}));
}

TEST(ResizeTest, SingleElements) {
  for (const std::string coordinates :
       {"align_corners", "pytorch_half_pixel"}) {
    const Resize op{.mode = "linear",
                    .sizes = {1},
                    .scales = {0.25},
                    .coordinates = coordinates};
    EXPECT_EQ(Resized(op, {1, 2, 3, 4}), (Values{1}));
  }
}

TEST(ResizeTest, SaysWhatDoesNotFit) {
  const Resize good{.sizes = {4}, .scales = {2}};
  const auto error = [&](auto change) {
    Resize op = good;
    change(op);
    return Inferred(op, {{2}});
  };
  EXPECT_EQ(error([](Resize&) {}), "{4}");
  EXPECT_EQ(error([](Resize& op) { op.mode = "area"; }),
            "mode \"area\" is none of nearest, linear, cubic");
  EXPECT_EQ(error([](Resize& op) { op.coordinates = "x"; }),
            "coordinates \"x\" is none of half_pixel, half_pixel_symmetric, "
            "pytorch_half_pixel, align_corners, asymmetric, "
            "tf_crop_and_resize");
  EXPECT_EQ(error([](Resize& op) { op.nearest_mode = "x"; }),
            "nearest_mode \"x\" is none of round_prefer_floor, "
            "round_prefer_ceil, floor, ceil");
  EXPECT_EQ(error([](Resize& op) { op.scales = {}; }),
            "sizes and scales must have 1 numbers each, as the input has "
            "dimensions");
  EXPECT_EQ(error([](Resize& op) { op.scales = {0}; }),
            "scales = 0 is not between 2^-30 and 2^30");
  EXPECT_EQ(error([](Resize& op) { op.sizes = {0}; }),
            "shape {0} has extent 0; extents must be at least 1");
  EXPECT_EQ(error([](Resize& op) { op.coordinates = "tf_crop_and_resize"; }),
            "roi must have 2 numbers, not 0");
  EXPECT_EQ(error([](Resize& op) { op.cubic_coeff_a = 1e300; }),
            "cubic_coeff_a = 1e+300 is no finite number");
  // What is stored between the dimensions.
  EXPECT_EQ(
      Inferred(Resize{.sizes = {1 << 20, 1}, .scales = {1, 1}}, {{1, 1 << 20}}),
      "shape {1048576, 1048576} has more than 536870911 elements");
}

}  // namespace
}  // namespace pruner
