#include "tools/common/tool_flags.h"

#include <cerrno>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, test_count, 3, "how many");
ABSL_FLAG(bool, test_fresh, false, "anew");
ABSL_FLAG(std::string, test_name, "", "who");
ABSL_FLAG(absl::Duration, test_time, absl::Minutes(5), "how long");

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kSources[] = "tools/common/tool_flags_test";

std::string Error(const std::vector<std::string>& args) {
  return std::string(ParseToolFlags(args, kSources).status().message());
}

TEST(ToolFlagsTest, SetsFlagsInEveryForm) {
  const auto positional = ParseToolFlags(
      {"--test_count=5", "file", "--test_fresh", "-test_name", "x y", "other"},
      kSources);
  ASSERT_TRUE(positional.ok()) << positional.status();
  EXPECT_EQ(*positional, (std::vector<std::string>{"file", "other"}));
  EXPECT_EQ(absl::GetFlag(FLAGS_test_count), 5);
  EXPECT_TRUE(absl::GetFlag(FLAGS_test_fresh));
  EXPECT_EQ(absl::GetFlag(FLAGS_test_name), "x y");
  ASSERT_TRUE(ParseToolFlags({"--notest_fresh"}, kSources).ok());
  EXPECT_FALSE(absl::GetFlag(FLAGS_test_fresh));
}

TEST(ToolFlagsTest, ErrorsNameFlagAndValue) {
  EXPECT_EQ(Error({"--test_cuont=5"}),
            "there is no flag --test_cuont; the flags are --test_count "
            "--test_fresh --test_name --test_time");
  EXPECT_EQ(Error({"--test_count=five"}),
            "--test_count=five is not a whole number in range");
  EXPECT_EQ(Error({"--test_count"}),
            "--test_count needs a value: --test_count=…");
  EXPECT_EQ(Error({"--test_fresh=maybe"}),
            "--test_fresh=maybe is not true or false");
  EXPECT_EQ(Error({"--test_time=5"}),
            "--test_time=5 is not a duration such as 90s, 10m, 1h30m or inf");
}

TEST(ToolFlagsTest, GivenFlagsAreThoseThatAreNotTheDefault) {
  ASSERT_TRUE(
      ParseToolFlags({"--test_count=7", "--test_name="}, kSources).ok());
  EXPECT_THAT(GivenFlags(kSources), ElementsAre(Pair("test_count", "7")));
  ASSERT_TRUE(ParseToolFlags({"--test_count=3"}, kSources).ok());
  EXPECT_THAT(GivenFlags(kSources), IsEmpty());
}

TEST(ToolFlagsTest, FlagsOfLibrariesAreNotTheUsers) {
  EXPECT_FALSE(ParseToolFlags({"--stderrthreshold=0"}, kSources).ok());
}

TEST(ToolFlagsTest, HelpListsFlagsWithDefaults) {
  EXPECT_EQ(FlagHelp(kSources),
            "  --test_count  how many (default: 3)\n"
            "  --test_fresh  anew (default: false)\n"
            "  --test_name  who (default: none)\n"
            "  --test_time  how long (default: 5m)\n");
}

TEST(ToolFlagsTest, UsersErrorsExitWithTwo) {
  EXPECT_EQ(ReportError("tool", absl::InvalidArgumentError("x")), 2);
  EXPECT_EQ(ReportError("tool", absl::OutOfRangeError("x")), 2);
  EXPECT_EQ(ReportError("tool", absl::InternalError("x")), 1);
  EXPECT_EQ(ReportError("tool", absl::ErrnoToStatus(ENOSPC, "x")), 1);
}

}  // namespace
}  // namespace pruner
