#include "halide_ext/plugin/plugin_params.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(PluginParamsTest, AreRead) {
  const absl::StatusOr<PluginParams> params =
      ParsePluginParams({{"parallelism", "4"},
                         {"seed", "18446744073709551615"},
                         {"strict", "1"},
                         {"verbose", "true"}});
  ASSERT_TRUE(params.ok()) << params.status();
  EXPECT_EQ(params->parallelism, 4);
  EXPECT_EQ(params->seed, 18446744073709551615u);
  EXPECT_TRUE(params->strict);
  EXPECT_TRUE(params->verbose);
}

TEST(PluginParamsTest, NoneHasToBeGiven) {
  const absl::StatusOr<PluginParams> params = ParsePluginParams({});
  ASSERT_TRUE(params.ok()) << params.status();
  EXPECT_EQ(params->parallelism, 0);
  EXPECT_EQ(params->seed, 1u);
  EXPECT_FALSE(params->strict);
}

TEST(PluginParamsTest, WhatThereIsNotIsRefusedByName) {
  EXPECT_EQ(ParsePluginParams({{"paralelism", "4"}}).status(),
            absl::InvalidArgumentError(
                "there is no autoscheduler.paralelism; there are parallelism, "
                "seed, strict, verbose"));
}

TEST(PluginParamsTest, ValuesOutOfRangeAreRefusedWithTheRange) {
  for (const char* value : {"-1", "1025", "four", ""}) {
    EXPECT_EQ(ParsePluginParams({{"parallelism", value}}).status(),
              absl::InvalidArgumentError(
                  absl::StrCat("autoscheduler.parallelism=", value,
                               " is not a number of threads, or 0 for all "
                               "cores")));
  }
  EXPECT_EQ(
      ParsePluginParams({{"strict", "perhaps"}}).status(),
      absl::InvalidArgumentError("autoscheduler.strict=perhaps is not 0 or 1"));
}

}  // namespace
}  // namespace pruner
