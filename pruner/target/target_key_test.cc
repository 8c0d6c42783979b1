#include "pruner/target/target_key.h"

#include <functional>
#include <set>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gtest/gtest.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;

TEST(TargetKeyTest, TextRoundTrips) {
  const TargetKey key = {0xc0ffee};
  EXPECT_EQ(ToString(key), "0000000000c0ffee");
  EXPECT_THAT(ParseTargetKey("0000000000c0ffee"), IsOkAndHolds(key));
  for (const char* text : {"", "c0ffee", "0000000000c0ffeg"}) {
    EXPECT_THAT(ParseTargetKey(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

TEST(TargetKeyTest, MeasuringTheHostAgainDoesNotChangeIt) {
  TargetSpec again = SampleCpuTarget();
  again.peaks.fp32_gflops_per_core *= 1.01;
  again.peaks.fp32_gflops *= 1.01;
  again.peaks.dram_gb_per_s = 0;
  again.units.fma_pipes += 1;
  again.l1.gb_per_s *= 0.99;
  again.l2.gb_per_s *= 0.99;
  again.llc.gb_per_s *= 0.99;
  EXPECT_EQ(TargetKeyOf(again), TargetKeyOf(SampleCpuTarget()));
}

TEST(TargetKeyTest, WhatDraftModelsAvoidDoesNotChangeIt) {
  TargetSpec careful = SampleCpuTarget();
  careful.limits.unsized_stages = 4;
  EXPECT_EQ(TargetKeyOf(careful), TargetKeyOf(SampleCpuTarget()));
}

TEST(TargetKeyTest, AllElseCounts) {
  const std::vector<std::function<void(TargetSpec&)>> changes = {
      [](TargetSpec&) {},
      [](TargetSpec& t) { t.name += 'x'; },
      [](TargetSpec& t) { t.backend = Backend::kOpenCl; },
      [](TargetSpec& t) { t.halide_target += "-avx512"; },
      [](TargetSpec& t) { t.registers.count *= 2; },
      [](TargetSpec& t) { t.l1.size_bytes *= 2; },
      [](TargetSpec& t) { t.l2.size_bytes *= 2; },
      [](TargetSpec& t) { t.llc.line_bytes *= 2; },
      [](TargetSpec& t) { t.units.cores *= 2; },
      [](TargetSpec& t) { t.limits.shared_bytes_per_block += 1; },
      [](TargetSpec& t) { t.limits.vthreads += 1; },
      [](TargetSpec& t) { t.tiling.levels[1].binding = Binding::kParallel; },
      [](TargetSpec& t) { t.tiling.fusion_levels.pop_back(); },
      [](TargetSpec& t) { t.tiling.auto_unroll_steps.clear(); },
      [](TargetSpec& t) { t.cheap_shared_writes = true; }};
  std::set<TargetKey> keys;
  for (const auto& change : changes) {
    TargetSpec target = SampleCpuTarget();
    change(target);
    keys.insert(TargetKeyOf(target));
  }
  EXPECT_EQ(keys.size(), changes.size());
}

// It is in users' logs.
TEST(TargetKeyTest, NeverChanges) {
  TargetSpec target;
  EXPECT_EQ(ToString(TargetKeyOf(target)), "8a4127811b21e730");
  target.name = "a";
  target.backend = Backend::kCuda;
  target.halide_target = "host-cuda";
  target.registers = {.count = 1, .bytes = 2};
  target.l1 = {.size_bytes = 3, .gb_per_s = 4, .line_bytes = 5};
  target.limits.vthreads = 6;
  target.tiling.levels = {{TileAxis::kReduction, Binding::kThread}};
  target.tiling.auto_unroll_steps = {0, 16};
  EXPECT_EQ(ToString(TargetKeyOf(target)), "bb46d22cc832fc61");
}

}  // namespace
}  // namespace pruner
