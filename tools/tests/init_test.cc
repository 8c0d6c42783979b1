// tune where most candidates may be refused: hardware-aware initialization.
#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/base/os/files.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/transform_step.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class InitTest : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<uint8_t> bytes;
    Halide::serialize_pipeline(MatmulReluPipeline(32, 48, 64), bytes);
    ASSERT_EQ(WriteFileAtomically(user_.File("matmul.hlpipe"),
                                  std::string(bytes.begin(), bytes.end())),
              absl::OkStatus());
  }

  CommandResult Tune(const std::string& init,
                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"--pipeline=matmul.hlpipe",
                                     "--output_dir=" + init, "--trials=16",
                                     "--race=0", "--init=" + init};
    args.insert(args.end(), more.begin(), more.end());
    return user_.Run("tune", args);
  }
  std::vector<Schedule> Tried(const std::string& folder) const {
    std::vector<Schedule> tried;
    for (const MeasureRecord& record :
         TrialsOf(ReadLogOrDie(user_.File(folder + "/records.log"))))
      tried.push_back(record.schedule);
    return tried;
  }

  Workplace user_;
};

// The sentence with these words.
std::string Line(const CommandResult& result, absl::string_view words) {
  for (absl::string_view line : absl::StrSplit(result.stdout_text, '\n')) {
    if (absl::StrContains(line, words)) return std::string(line);
  }
  return "";
}

TEST_F(InitTest, CandidatesThatCompileAreFirst) {
  const CommandResult first = Tune("hardware_aware");
  ASSERT_EQ(first.exit_code, 0) << first.stderr_text;
  const std::string found = Line(first, "candidates that were looked at");
  EXPECT_THAT(found, HasSubstr("note on matmul: 16 of 16 candidates"));
  EXPECT_THAT(
      first.stdout_text,
      HasSubstr("looking at candidates before they were measured took"));
  // Another run with this seed has the same ones, and knows them.
  const std::vector<Schedule> tried = Tried("hardware_aware");
  const std::string answers =
      ReadFileOrDie(user_.File("hardware_aware/.pruner/answers"));
  const CommandResult again = Tune("hardware_aware", {"--fresh"});
  ASSERT_EQ(again.exit_code, 0) << again.stderr_text;
  EXPECT_EQ(Line(again, "candidates that were looked at"), found);
  EXPECT_EQ(ReadFileOrDie(user_.File("hardware_aware/.pruner/answers")),
            answers);
  const std::vector<Schedule> tried_again = Tried("hardware_aware");
  ASSERT_GE(tried.size(), 8);
  ASSERT_GE(tried_again.size(), 8);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(tried[i], tried_again[i]);
}

// Nobody looks where nothing is refused, and the trials are the same, those of
// a network that knows nothing yet: else they depend on what was timed.
TEST_F(InitTest, AutoChangesNothingWhereCandidatesAreValid) {
  for (const std::string init : {"auto", "random"}) {
    const CommandResult result = Tune(init, {"--pretrained=none"});
    ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_THAT(result.stdout_text, Not(HasSubstr("looked at")));
  }
  EXPECT_EQ(Tried("auto"), Tried("random"));
  EXPECT_FALSE(ReadFile(user_.File("auto/.pruner/answers")).ok());
}

// What is asked for and cannot be had is said before anything is measured; what
// is not asked for is done without.
TEST_F(InitTest, WithoutAnOracleItIsRefusedOrDoneWithout) {
  for (const std::string init : {"hardware_aware", "auto"}) {
    ASSERT_EQ(MakeDirectories(user_.File(init + "/.pruner")), absl::OkStatus());
    ASSERT_EQ(
        WriteFileAtomically(user_.File(init + "/.pruner/answers"), "a letter"),
        absl::OkStatus());
  }
  const CommandResult asked = Tune("hardware_aware");
  EXPECT_EQ(asked.exit_code, 2) << asked.stdout_text;
  EXPECT_THAT(asked.stderr_text,
              AllOf(HasSubstr("--init=hardware_aware: "),
                    HasSubstr(".pruner/answers"), HasSubstr("not a record")));
  EXPECT_TRUE(Tried("hardware_aware").empty());
  // Enough trials that it would look, and a limit that nothing keeps.
  const CommandResult automatic =
      Tune("auto", {"--compile_timeout=1ms", "--trials=400", "--time_limit=12s",
                    "--policy=anneal"});
  EXPECT_EQ(automatic.exit_code, 3) << automatic.stderr_text;
  EXPECT_THAT(Line(automatic, "note on matmul"),
              AllOf(HasSubstr("no candidates can be looked at"),
                    HasSubstr(".pruner/answers")));
  EXPECT_EQ(ReadFileOrDie(user_.File("auto/.pruner/answers")), "a letter");
}

TEST_F(InitTest, WhereNothingCompilesItGoesOn) {
  const CommandResult result =
      Tune("hardware_aware",
           {"--compile_timeout=1ms", "--trials=4", "--policy=anneal"});
  EXPECT_EQ(result.exit_code, 3) << result.stderr_text;
  EXPECT_THAT(Line(result, "looked at"),
              HasSubstr("note on matmul: none of 16 candidates that were "
                        "looked at is valid"));
}

}  // namespace
}  // namespace pruner
