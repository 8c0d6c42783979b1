#include "pruner/target/detect_host.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(DetectHostTest, DescribesThisMachine) {
  const HostInfo host = DetectHost();
  EXPECT_THAT(host.cpu_name, Not(IsEmpty()));
  EXPECT_THAT(host.halide_target,
              AnyOf(StartsWith("x86-64-linux"), StartsWith("arm-64-linux")));
  EXPECT_GE(host.cores, 1);
  EXPECT_LE(host.cores, CpuCount());
  EXPECT_GE(host.registers.size_bytes(), 16 * 16);
  EXPECT_THAT((std::vector<int64_t>{host.caches.l1.size_bytes,
                                    host.caches.l2.size_bytes,
                                    host.caches.llc.size_bytes}),
              Each(Ge(4096)));
}

}  // namespace
}  // namespace pruner
