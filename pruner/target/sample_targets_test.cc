#include "pruner/target/sample_targets.h"

#include "gtest/gtest.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

TEST(SampleTargetsTest, AreValid) {
  EXPECT_EQ(ValidateTargetSpec(SampleCpuTarget(), "cpu").message(), "");
  EXPECT_EQ(ValidateTargetSpec(SampleGpuTarget(), "gpu").message(), "");
  EXPECT_EQ(ValidateTargetSpec(SampleOpenClTarget(), "cl").message(), "");
}

TEST(SampleTargetsTest, DifferInTheirTileStructure) {
  EXPECT_EQ(SampleCpuTarget().TileStructure(), "SSRSRS");
  EXPECT_EQ(SampleGpuTarget().TileStructure(), "SSSRRSRS");
}

}  // namespace
}  // namespace pruner
