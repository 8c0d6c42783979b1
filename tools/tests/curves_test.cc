// curves: how tunings that tune did went on.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/subprocess.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class CurvesTest : public testing::Test {
 protected:
  void Tune(const std::string& folder, const std::string& policy,
            const std::string& seed) const {
    const CommandResult tuned =
        user_.Run("tune", {"--model=tiny", "--trials=27", "--race=0",
                           "--output_dir=" + folder, "--policy=" + policy,
                           "--seed=" + seed});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.stderr_text;
  }

  Workplace user_;
};

TEST_F(CurvesTest, OfPoliciesAndSeeds) {
  ASSERT_NO_FATAL_FAILURE(Tune("a", "random", "1"));
  ASSERT_NO_FATAL_FAILURE(Tune("b", "mutate", "1"));
  ASSERT_NO_FATAL_FAILURE(Tune("c", "random", "2"));
  const CommandResult curves = user_.Run(
      "curves", {"--dirs=a,b,c", "--beside=mutate", "--csv=curves.csv"});
  EXPECT_EQ(curves.exit_code, 0) << curves.stderr_text;
  EXPECT_THAT(curves.stdout_text, AllOf(HasSubstr("\nrandom      2      27 "),
                                        HasSubstr("\nmutate      1      27 ")));
  const std::string csv = ReadFileOrDie(user_.File("curves.csv"));
  EXPECT_THAT(csv, AllOf(StartsWith("label,seed,trials,seconds,network_ms\n"),
                         HasSubstr("\n\"random\",2,27,"),
                         HasSubstr("\n\"mutate\",1,27,")));
  // What the network was predicted to take is where its curve ends.
  EXPECT_THAT(curves.stdout_text,
              HasSubstr(absl::StrFormat(
                  " %.2f ms after s",
                  ReadSummaryOrDie(user_.File("b")).predicted_latency_ms())));
}

TEST_F(CurvesTest, BadInput) {
  const auto error_of = [&](const std::vector<std::string>& flags) {
    const CommandResult result = user_.Run("curves", flags);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(
        std::count(result.stderr_text.begin(), result.stderr_text.end(), '\n'),
        1);
    return result.stderr_text;
  };
  EXPECT_THAT(error_of({}), HasSubstr("--dirs="));
  EXPECT_THAT(error_of({"--dirs=nowhere"}), HasSubstr("nowhere"));
  ASSERT_NO_FATAL_FAILURE(Tune("a", "random", "1"));
  EXPECT_THAT(error_of({"--dirs=a", "--beside=ansor"}),
              MatchesRegex("curves: --beside=ansor is none of random\n"));
  // Another seed on the same log.
  const CommandResult more =
      user_.Run("tune", {"--model=tiny", "--trials=30", "--race=0",
                         "--output_dir=a", "--policy=random", "--seed=2"});
  ASSERT_EQ(more.exit_code, 0) << more.stderr_text;
  EXPECT_THAT(error_of({"--dirs=a"}),
              AllOf(HasSubstr("seed 1"), HasSubstr("seed 2")));
}

}  // namespace
}  // namespace pruner
