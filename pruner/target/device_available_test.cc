#include "pruner/target/device_available.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::StartsWith;

TargetSpec Gpu(Backend backend) {
  TargetSpec spec;
  spec.name = "gpu";
  spec.backend = backend;
  return spec;
}

TEST(DeviceAvailableTest, TheHostIsAlwaysThere) {
  EXPECT_TRUE(DeviceAvailable(TargetSpec()).ok());
}

TEST(DeviceAvailableTest, MissingDriversAreNamed) {
  for (const Backend backend : {Backend::kCuda, Backend::kOpenCl}) {
    const absl::Status status = ProbeDriver(backend, "libnone.so.1");
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_EQ(status.message(),
              "the driver library libnone.so.1 cannot be loaded");
  }
}

TEST(DeviceAvailableTest, OtherLibrariesAreNoDrivers) {
  for (const Backend backend : {Backend::kCuda, Backend::kOpenCl}) {
    EXPECT_EQ(ProbeDriver(backend, "libc.so.6").message(),
              "libc.so.6 is not the driver library it should be");
  }
}

// Machines with and without devices run this: either answer will do, but no
// other.
TEST(DeviceAvailableTest, SaysWhichTargetCannotRun) {
  for (const Backend backend : {Backend::kCuda, Backend::kOpenCl}) {
    const absl::Status status = DeviceAvailable(Gpu(backend));
    EXPECT_THAT(
        std::string(status.message()),
        AnyOf(Eq(""),
              StartsWith(
                  "programs for target \"gpu\" cannot run on this machine: ")));
    EXPECT_EQ(status.ok(), status.message().empty());
  }
}

}  // namespace
}  // namespace pruner
