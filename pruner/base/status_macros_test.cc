#include "pruner/base/status_macros.h"

#include <map>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

absl::StatusOr<int> Half(int n) {
  if (n % 2 != 0) return absl::InvalidArgumentError("odd");
  return n / 2;
}

template <typename Key, typename Value>
absl::StatusOr<std::map<Key, Value>> One(Key key, Value value) {
  return std::map<Key, Value>{{key, value}};
}

absl::StatusOr<int> Quarter(int n) {
  ASSIGN_OR_RETURN(const int half, Half(n));
  int quarter = 0;
  ASSIGN_OR_RETURN(quarter, Half(half), _ << "half of " << n);
  return quarter;
}

absl::Status CheckEven(int n, bool* passed) {
  RETURN_IF_ERROR(Half(n).status()) << "checking " << n;
  *passed = true;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, AssignsOrReturns) {
  EXPECT_THAT(Quarter(12), IsOkAndHolds(3));
  EXPECT_THAT(Quarter(3), StatusIs(absl::StatusCode::kInvalidArgument, "odd"));
  EXPECT_THAT(Quarter(6), StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr("half of 6")));
}

TEST(StatusMacrosTest, ReturnsTheFirstError) {
  bool passed = false;
  EXPECT_THAT(
      CheckEven(3, &passed),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("checking 3")));
  EXPECT_FALSE(passed);
  EXPECT_THAT(CheckEven(4, &passed), IsOk());
  EXPECT_TRUE(passed);
}

TEST(StatusMacrosTest, TakesCommasInRoundBrackets) {
  const auto lookup = []() -> absl::StatusOr<int> {
    ASSIGN_OR_RETURN((std::map<int, int> map), (One<int, int>(1, 2)));
    ASSIGN_OR_RETURN((auto [key, value]),
                     (absl::StatusOr<std::pair<int, int>>({1, 30})));
    return map.at(key) + value;
  };
  EXPECT_THAT(lookup(), IsOkAndHolds(32));
}

TEST(StatusMacrosTest, MovesWhatCannotBeCopied) {
  const auto make = []() -> absl::StatusOr<std::unique_ptr<int>> {
    ASSIGN_OR_RETURN(auto made, absl::StatusOr<std::unique_ptr<int>>(
                                    std::make_unique<int>(5)));
    return made;
  };
  ASSERT_THAT(make(), IsOk());
  EXPECT_EQ(**make(), 5);
}

}  // namespace
}  // namespace pruner
