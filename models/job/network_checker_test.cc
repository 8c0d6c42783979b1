#include "models/job/network_checker.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// What becomes of the check if its process does what the shell is told.
absl::Status CheckBy(
    const std::string& shell,
    const std::function<bool()>& interrupted = [] { return false; }) {
  return CheckNetworkApart({}, {.command = {"/bin/sh", "-c", shell},
                                .patience = absl::Seconds(2),
                                .interrupted = interrupted})
      .status();
}

TEST(NetworkCheckerTest, ACrashIsSaidToBeOne) {
  const absl::Status status = CheckBy("echo a kernel >&2; kill -SEGV $$");
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the process that compiles, checks and times the "
                        "network has failed: "));
  EXPECT_THAT(std::string(status.message()), HasSubstr("signal 11"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("a kernel"));
}

TEST(NetworkCheckerTest, OneThatCannotBeStarted) {
  const absl::Status status =
      CheckNetworkApart({}, {.command = {"/no/such/program"}}).status();
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("No such file or directory"));
}

TEST(NetworkCheckerTest, PatienceHasAnEnd) {
  const absl::Status status = CheckBy("echo begun; sleep 600");
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("it has said nothing for 2s; its last words: begun"));
}

TEST(NetworkCheckerTest, InterruptedItEndsAtOnce) {
  int asked = 0;
  const absl::Duration start = RealClock().Elapsed();
  const absl::Status status =
      CheckBy("sleep 600", [&] { return ++asked >= 3; });
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(RealClock().Elapsed() - start, absl::Seconds(1.9));
}

// The search was interrupted; what was found is checked nevertheless.
TEST(NetworkCheckerTest, InterruptedBeforeItDoesNotMatter) {
  const absl::Status status = CheckBy("exit 3", [] { return true; });
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("exited with code 3"));
}

}  // namespace
}  // namespace pruner
