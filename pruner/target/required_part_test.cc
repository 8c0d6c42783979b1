#include "pruner/target/required_part.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// What EndsWithout tells of a missing part, but for this test, which goes on.
testing::TestPartResult ResultWithout(const std::string& part) {
  testing::TestPartResultArray results;
  bool ends = false;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::
            INTERCEPT_ONLY_CURRENT_THREAD,
        &results);
    ends = EndsWithout(part, absl::UnavailableError("there is no driver"));
  }
  EXPECT_TRUE(ends);
  EXPECT_EQ(results.size(), 1);
  return results.GetTestPartResult(0);
}

TEST(RequiredPartTest, WhatIsThereEndsNothing) {
  SetEnv("PRUNER_REQUIRE", "opencl");
  EXPECT_FALSE(EndsWithout("opencl", absl::OkStatus()));
}

TEST(RequiredPartTest, WhatNobodyRequiresIsSkipped) {
  for (const char* required : {"", "opencl", "cuda2,opencl"}) {
    SetEnv("PRUNER_REQUIRE", required);
    const testing::TestPartResult result = ResultWithout("cuda");
    EXPECT_TRUE(result.skipped()) << required;
    EXPECT_THAT(result.message(), HasSubstr("there is no driver"));
  }
  UnsetEnv("PRUNER_REQUIRE");
  EXPECT_TRUE(ResultWithout("opencl").skipped());
}

// Fatally, so that no body runs behind SetUp.
TEST(RequiredPartTest, WhatIsRequiredFails) {
  for (const char* required : {"opencl", "cuda,opencl"}) {
    SetEnv("PRUNER_REQUIRE", required);
    const testing::TestPartResult result = ResultWithout("opencl");
    EXPECT_TRUE(result.fatally_failed()) << required;
    EXPECT_THAT(result.message(),
                HasSubstr("PRUNER_REQUIRE names opencl, but there is no "
                          "driver; the Debian packages "));
  }
}

}  // namespace
}  // namespace pruner
