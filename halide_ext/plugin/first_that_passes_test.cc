#include "halide_ext/plugin/first_that_passes.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

class FirstThatPassesTest : public testing::Test {
 protected:
  // Of so many candidates, with 0, 1, ... steps; those with fewer than
  // `failing` fail.
  absl::StatusOr<Schedule> Passing(size_t candidates, size_t failing) {
    std::vector<Schedule> schedules(candidates);
    for (size_t i = 0; i < candidates; ++i)
      schedules[i].steps.resize(i, ComputeInlineStep{});
    return FirstThatPasses(
        schedules,
        [&](const Schedule& schedule) {
          return schedule.steps.size() < failing
                     ? absl::InternalError(absl::StrCat(schedule.steps.size()))
                     : absl::OkStatus();
        },
        [&](absl::string_view text) { said_.emplace_back(text); });
  }

  std::vector<std::string> said_;
};

TEST_F(FirstThatPassesTest, TheFirstIsTakenWithoutAWord) {
  EXPECT_EQ(Passing(3, 0)->steps.size(), 0);
  EXPECT_THAT(said_, ElementsAre());
}

TEST_F(FirstThatPassesTest, OthersAreTakenAndToldOf) {
  EXPECT_EQ(Passing(3, 2)->steps.size(), 2);
  EXPECT_THAT(said_, ElementsAre(StartsWith("0; "), StartsWith("1; ")));
}

TEST_F(FirstThatPassesTest, WhereNonePassesTheFirstSaysWhy) {
  EXPECT_EQ(Passing(3, 3).status().message(), "0");
  EXPECT_THAT(said_, ElementsAre(StartsWith("0; "), StartsWith("1; "), "2\n"));
}

}  // namespace
}  // namespace pruner
