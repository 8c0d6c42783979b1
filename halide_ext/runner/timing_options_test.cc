#include "halide_ext/runner/timing_options.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

constexpr TimingOptions kOptions = {.min_samples = 5,
                                    .max_samples = 8,
                                    .min_seconds = 0.02,
                                    .give_up_seconds = 0.001};

TEST(WantsSampleTest, EnoughAndLongEnough) {
  EXPECT_TRUE(WantsSample({}, 1, kOptions));
  EXPECT_TRUE(WantsSample({1e-4, 1e-4, 1e-4, 1e-4}, 1, kOptions));
  EXPECT_TRUE(WantsSample({1e-4, 1e-4, 1e-4, 1e-4, 1e-4}, 1, kOptions));
  // Of many runs each.
  EXPECT_FALSE(WantsSample({1e-4, 1e-4, 1e-4, 1e-4, 1e-4}, 100, kOptions));
  EXPECT_FALSE(WantsSample({1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4}, 1,
                           kOptions));
}

TEST(WantsSampleTest, WhatIsFarBehindIsGivenUp) {
  EXPECT_FALSE(WantsSample({2e-3, 2e-3, 2e-3}, 1, kOptions));
  // At once where that took long.
  EXPECT_FALSE(WantsSample({0.1}, 1, kOptions));
}

TEST(WantsSampleTest, WhatWasDisturbedIsNot) {
  EXPECT_TRUE(WantsSample({2e-3}, 1, kOptions));
  EXPECT_TRUE(WantsSample({2e-3, 2e-3}, 1, kOptions));
  EXPECT_TRUE(WantsSample({2e-3, 1e-4, 3e-3}, 1, kOptions));
  EXPECT_TRUE(WantsSample({1e-4, 1e-4, 1e-4, 2e-3}, 1, kOptions));
}

// Slow candidates have fewer samples rather than no time to be measured.
TEST(WantsSampleTest, ThereIsNoTimeForMore) {
  TimingOptions options = kOptions;
  options.give_up_seconds = 1e9;
  options.max_seconds = 5;
  EXPECT_TRUE(WantsSample({2}, 1, options));
  EXPECT_FALSE(WantsSample({2, 2}, 1, options));
  EXPECT_FALSE(WantsSample({3}, 1, options));
}

}  // namespace
}  // namespace pruner
