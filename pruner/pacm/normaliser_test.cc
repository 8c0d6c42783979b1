#include "pruner/pacm/normaliser.h"

#include <cmath>
#include <limits>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::SizeIs;

constexpr NetworkShape kShape = {
    .row_columns = 3, .blocks = 2, .block_columns = 2};

FeatureRows Programs() {
  FeatureRows programs = {.columns = 3, .program_columns = 4};
  programs.Append({1, -2, 0}, {5, 0, 6, -1});
  programs.Append({4, -3, 0, 2, -1, 0}, {2, -4, 3, -2});
  return programs;
}

TEST(NormaliserTest, IsTheLargestOfEachColumn) {
  const Normaliser normaliser =
      FitNormaliser(Normalisation::kLargest, kShape, Programs());
  EXPECT_THAT(normaliser.rows.divisors, ElementsAre(4, 1, 1));
  EXPECT_THAT(normaliser.rows.shifts, ElementsAre(0, 0, 0));
  // The same column of all blocks.
  EXPECT_THAT(normaliser.blocks.divisors, ElementsAre(6, 1, 6, 1));
  EXPECT_THAT(normaliser.blocks.shifts, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(normaliser.limit, 0);
}

TEST(NormaliserTest, IsMeanAndDeviationOfEachColumn) {
  FeatureRows programs = {.columns = 2, .program_columns = 4};
  programs.Append({1, 7, 3, 7}, {0, 1, 10, 1});
  programs.Append({5, 7}, {4, 1, 20, 1});
  const Normaliser normaliser = FitNormaliser(
      Normalisation::kStandard,
      {.row_columns = 2, .blocks = 2, .block_columns = 2}, programs);
  EXPECT_THAT(normaliser.rows.shifts, ElementsAre(3, 7));
  // Nothing is left of what does not vary.
  const float ignored = std::numeric_limits<float>::max();
  EXPECT_THAT(normaliser.rows.divisors,
              ElementsAre(FloatEq(std::sqrt(8.0f / 3)), ignored));
  EXPECT_THAT(normaliser.blocks.shifts, ElementsAre(2, 1, 15, 1));
  EXPECT_THAT(normaliser.blocks.divisors, ElementsAre(2, ignored, 5, ignored));
  EXPECT_EQ(normaliser.limit, 5);
}

TEST(NormaliserTest, OthersMayScaleWhatIsIgnored) {
  const NetworkShape shape = {.row_columns = 2};
  FeatureRows programs = {.columns = 2};
  programs.Append({1, 7, 3, 7}, {});
  const Normaliser kept =
      FitNormaliser(Normalisation::kStandard, shape, programs);
  programs = {.columns = 2};
  programs.Append({10, 8, 20, 12}, {});
  const Normaliser fitted =
      FitNormaliser(Normalisation::kStandard, shape, programs);
  EXPECT_EQ(ScaleIgnored(kept, fitted).rows,
            (ColumnScales{.shifts = {2, 10}, .divisors = {1, 2}}));
  EXPECT_EQ(ScaleIgnored(fitted, kept), fitted);
}

TEST(NormaliserTest, IsOfWhatTheNetworkReads) {
  for (const Normalisation normalisation :
       {Normalisation::kLargest, Normalisation::kStandard}) {
    const Normaliser rows =
        FitNormaliser(normalisation, {.row_columns = 3}, Programs());
    EXPECT_THAT(rows.rows.divisors, SizeIs(3));
    EXPECT_EQ(rows.blocks, ColumnScales());
    const Normaliser blocks = FitNormaliser(
        normalisation, {.blocks = 2, .block_columns = 2}, Programs());
    EXPECT_EQ(blocks.rows, ColumnScales());
    EXPECT_THAT(blocks.blocks.divisors, SizeIs(4));
  }
}

TEST(NormaliserTest, OfNoProgramsTheLargestChangesNothing) {
  const Normaliser normaliser = FitNormaliser(
      Normalisation::kLargest, kShape, {.columns = 3, .program_columns = 4});
  EXPECT_EQ(normaliser.rows,
            (ColumnScales{.shifts = {0, 0, 0}, .divisors = {1, 1, 1}}));
  EXPECT_EQ(normaliser.blocks,
            (ColumnScales{.shifts = {0, 0, 0, 0}, .divisors = {1, 1, 1, 1}}));
}

TEST(NormaliserTest, WhatScalesNothingIsRefused) {
  const Normaliser good =
      FitNormaliser(Normalisation::kStandard, kShape, Programs());
  ABSL_EXPECT_OK(CheckNormaliser(kShape, good));
  const float infinity = std::numeric_limits<float>::infinity();
  const auto is_refused = [&](auto change) {
    Normaliser bad = good;
    change(bad);
    EXPECT_THAT(CheckNormaliser(kShape, bad),
                StatusIs(absl::StatusCode::kInvalidArgument));
  };
  is_refused([](auto& bad) { bad.rows.divisors.pop_back(); });
  is_refused([](auto& bad) { bad.rows.shifts.pop_back(); });
  is_refused([](auto& bad) { bad.blocks.divisors.pop_back(); });
  is_refused([](auto& bad) { bad.rows.divisors[1] = 0; });
  is_refused([](auto& bad) { bad.blocks.divisors[1] = -1; });
  is_refused([&](auto& bad) { bad.rows.divisors[2] = infinity; });
  is_refused([&](auto& bad) { bad.rows.shifts[2] = infinity; });
  is_refused([](auto& bad) { bad.limit = -1; });
}

}  // namespace
}  // namespace pruner
