#include "halide_ext/build/host_target.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

TargetSpec TargetFor(const std::string& halide_target) {
  TargetSpec target = SampleCpuTarget();
  target.units.cores = 1;
  target.halide_target = halide_target;
  return target;
}

std::string WhyNot(const TargetSpec& target) {
  return std::string(CheckRunsHere(target).message());
}

TEST(HostTargetTest, ThisMachine) {
  EXPECT_EQ(WhyNot(TargetFor("host")), "");
  EXPECT_EQ(WhyNot(TargetFor("host-opencl")), "");
  EXPECT_EQ(WhyNot(TargetFor("x86-64-linux")), "");
  EXPECT_EQ(WhyNot(TargetFor(DetectHost().halide_target)), "");
}

TEST(HostTargetTest, OtherMachines) {
  EXPECT_THAT(WhyNot(TargetFor("nonsense-target")),
              HasSubstr("halide_target \"nonsense-target\" of target "));
  EXPECT_THAT(WhyNot(TargetFor("nonsense-target")),
              HasSubstr("is nothing that Halide knows"));
  EXPECT_THAT(WhyNot(TargetFor("")), HasSubstr("nothing that Halide knows"));
  EXPECT_THAT(WhyNot(TargetFor("arm-64-linux")),
              HasSubstr("is another machine than this one"));
  EXPECT_THAT(WhyNot(TargetFor("x86-64-windows")),
              HasSubstr("is another machine than this one"));
  // No processor has both.
  EXPECT_THAT(WhyNot(TargetFor("x86-64-linux-fma4-avx512_zen5")),
              HasSubstr("which this processor has not"));
}

TEST(HostTargetTest, MoreCoresThanThereAre) {
  TargetSpec target = TargetFor("host");
  target.units.cores = 100000;
  EXPECT_THAT(WhyNot(target), HasSubstr(" are 100000, and this machine has "));
  // A GPU's are no threads of ours.
  target.backend = Backend::kOpenCl;
  EXPECT_EQ(WhyNot(target), "");
}

}  // namespace
}  // namespace pruner
