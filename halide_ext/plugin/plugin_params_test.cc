#include "halide_ext/plugin/plugin_params.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(PluginParamsTest, AreRead) {
  const absl::StatusOr<PluginParams> params =
      ParsePluginParams({{"parallelism", "4"},
                         {"seed", "18446744073709551615"},
                         {"trials", "300"},
                         {"time_limit", "1m30s"},
                         {"record_log", "unsharp.log"},
                         {"policy", "ansor"},
                         {"cost_model", "gbdt"},
                         {"target_spec", "server.txtpb"},
                         {"passes", "off"},
                         {"strict", "1"},
                         {"verbose", "true"}});
  ASSERT_TRUE(params.ok()) << params.status();
  EXPECT_EQ(params->parallelism, 4);
  EXPECT_EQ(params->seed, 18446744073709551615u);
  EXPECT_EQ(params->trials, 300);
  EXPECT_EQ(params->time_limit, absl::Seconds(90));
  EXPECT_EQ(params->record_log, "unsharp.log");
  EXPECT_EQ(params->policy, "ansor");
  EXPECT_EQ(params->cost_model, "gbdt");
  EXPECT_EQ(params->target_spec, "server.txtpb");
  EXPECT_FALSE(params->passes);
  EXPECT_TRUE(params->strict);
  EXPECT_TRUE(params->verbose);
}

TEST(PluginParamsTest, NoneHasToBeGiven) {
  const absl::StatusOr<PluginParams> params = ParsePluginParams({});
  ASSERT_TRUE(params.ok()) << params.status();
  EXPECT_EQ(params->parallelism, 0);
  EXPECT_EQ(params->seed, 1u);
  EXPECT_EQ(params->trials, 0);
  EXPECT_EQ(params->policy, "pruner");
  EXPECT_TRUE(params->passes);
  EXPECT_FALSE(params->strict);
}

TEST(PluginParamsTest, WhatThereIsNotIsRefusedByName) {
  EXPECT_EQ(ParsePluginParams({{"paralelism", "4"}}).status(),
            absl::InvalidArgumentError(
                "there is no autoscheduler.paralelism; there are parallelism, "
                "seed, trials, time_limit, record_log, policy, cost_model, "
                "target_spec, passes, strict, verbose"));
}

TEST(PluginParamsTest, ValuesOutOfRangeAreRefusedWithTheRange) {
  for (const char* value : {"-1", "1025", "four", ""}) {
    EXPECT_EQ(ParsePluginParams({{"parallelism", value}}).status(),
              absl::InvalidArgumentError(
                  absl::StrCat("autoscheduler.parallelism=", value,
                               " is not a number of threads, or 0 for all "
                               "cores")));
  }
  EXPECT_EQ(ParsePluginParams({{"trials", "-3"}}).status(),
            absl::InvalidArgumentError(
                "autoscheduler.trials=-3 is not a number of candidates to "
                "time, from 0 to 1000000"));
  for (const char* value : {"10", "-1s", "soon"}) {
    EXPECT_EQ(ParsePluginParams({{"time_limit", value}}).status(),
              absl::InvalidArgumentError(absl::StrCat(
                  "autoscheduler.time_limit=", value,
                  " is not a positive duration such as 90s, 10m or inf")));
  }
  EXPECT_EQ(ParsePluginParams({{"record_log", ""}}).status(),
            absl::InvalidArgumentError(
                "autoscheduler.record_log= is not the name of a file"));
  EXPECT_EQ(
      ParsePluginParams({{"strict", "perhaps"}}).status(),
      absl::InvalidArgumentError("autoscheduler.strict=perhaps is not 0 or 1"));
}

}  // namespace
}  // namespace pruner
