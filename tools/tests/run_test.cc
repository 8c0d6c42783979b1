// run and records, on what tune left.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// One candidate for each task of tiny but one.
constexpr int kTrials = 8;
constexpr int kTasks = 9;

// Of tiny.
constexpr size_t kInputs = size_t{16} * 16 * 3;
constexpr size_t kOutputs = 10;

class RunTest : public testing::Test {
 protected:
  // A folder called "out" that tune wrote.
  static const Workplace& User() {
    static const Workplace& workplace = *[] {
      auto* const user = new Workplace;
      const CommandResult result =
          user->Run("tune", {"--model=tiny", "--output_dir=out", "--race=0",
                             "--formulations=direct",
                             absl::StrCat("--trials=", kTrials)});
      EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
      return user;
    }();
    return workplace;
  }

  static CommandResult Run(std::vector<std::string> args) {
    args.insert(args.end(), {"--dir=out", "--seconds=0.05"});
    CommandResult result = User().Run("run", args);
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_EQ(result.stderr_text, "");
    return result;
  }

  static std::vector<float> Floats(const std::string& file) {
    const std::string bytes = ReadFileOrDie(User().File(file));
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
  }

  static std::vector<std::string> RecordLines(const std::string& show) {
    const CommandResult result =
        User().Run("records", {"--log=out", "--show=" + show});
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_EQ(result.stderr_text, "");
    return absl::StrSplit(result.stdout_text, '\n', absl::SkipEmpty());
  }

  static LogContents Log() {
    return ReadLogOrDie(User().File("out/records.log"));
  }

  // Of the workloads with records.
  static std::set<std::string> Names() {
    const LogContents log = Log();
    std::set<std::string> names;
    for (const MeasureRecord& record : log.records)
      names.insert(log.NameOf(record.workload));
    return names;
  }
};

TEST_F(RunTest, TellsLatencyAndKernels) {
  const std::string text = Run({}).stdout_text;
  EXPECT_THAT(text, HasSubstr("tiny, batch 1"));
  EXPECT_THAT(text, HasSubstr(": median "));
  EXPECT_THAT(text, HasSubstr("no record of "));  // the task without a trial
  for (const std::string& name : Names())
    EXPECT_THAT(text, HasSubstr("\n" + name));
  double share = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> words =
        absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (!words.empty() && words.back() == "%")
      share += std::stod(words[words.size() - 2]);
  }
  EXPECT_NEAR(share, 100, 0.05 * kTasks);
}

TEST_F(RunTest, TheSameSeedGivesTheSameOutput) {
  Run({"--seed=7", "--output=first"});
  const CommandResult second = Run({"--seed=7", "--output=second", "--top=2"});
  Run({"--seed=8", "--output=other"});
  const std::vector<float> first = Floats("first");
  EXPECT_EQ(first.size(), kOutputs);
  EXPECT_NEAR(std::accumulate(first.begin(), first.end(), 0.0), 1, 1e-6);
  EXPECT_EQ(first, Floats("second"));
  EXPECT_NE(first, Floats("other"));
  const std::vector<std::string> rows =
      absl::StrSplit(second.stdout_text, " %\n");
  EXPECT_EQ(rows.size(), 2 + 1);
}

TEST_F(RunTest, ComputesTheUsersInput) {
  std::vector<float> image(kInputs);
  for (size_t i = 0; i < kInputs; ++i)
    image[i] = static_cast<float>(i) / kInputs;
  const auto write = [&](const std::string& name) {
    ASSERT_EQ(WriteFileAtomically(
                  User().File(name),
                  std::string(reinterpret_cast<const char*>(image.data()),
                              image.size() * sizeof(float))),
              absl::OkStatus());
  };
  write("rising");
  std::reverse(image.begin(), image.end());
  write("falling");
  Run({"--input=rising", "--output=of_rising", "--seed=1"});
  Run({"--input=rising", "--output=again", "--seed=2", "--model=tiny"});
  Run({"--input=falling", "--output=of_falling"});
  EXPECT_EQ(Floats("of_rising"), Floats("again"));
  EXPECT_NE(Floats("of_rising"), Floats("of_falling"));
}

TEST_F(RunTest, ExportsWhatOtherProgramsNeed) {
  Run({"--export=files", "--seed=2"});
  Run({"--export=files", "--seed=3"});  // replaces the other
  Run({"--output=of_seed", "--seed=3"});
  Run({"--input=files/input.f32", "--output=of_file"});
  const std::vector<float> output = Floats("of_file");
  EXPECT_EQ(output, Floats("of_seed"));
  const std::string expected = ReadFileOrDie(User().File("files/expected.f64"));
  ASSERT_EQ(expected.size(), kOutputs * sizeof(double));
  for (size_t i = 0; i < kOutputs; ++i) {
    double value = 0;
    std::memcpy(&value, expected.data() + i * sizeof(value), sizeof(value));
    EXPECT_NEAR(output[i], value, 1e-6);
  }
  // Batch norms are folded: weights and a bias of four convolutions and more.
  EXPECT_EQ(Floats("files/constants.f32").size(),
            size_t{3 * 3 * 3 * 8 + 8} + 2 * (3 * 3 * 8 * 8 + 8) +
                (8 * 16 + 16) + (3 * 3 * 8 * 16 + 16) + (16 * 10 + 10));
  EXPECT_THAT(ReadFileOrDie(User().File("files/graph.json")),
              HasSubstr(R"({"name":"stem.relu","shape":["1","8","8","8"]})"));
}

TEST_F(RunTest, ServesUntilRequestsEnd) {
  // There are none.
  const std::string line = Run({"--serve"}).stdout_text;
  EXPECT_THAT(line, testing::StartsWith(R"({"model":"tiny","graph_hash":")"));
  EXPECT_THAT(line, HasSubstr(R"("batch":"1","threads":)"));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST_F(RunTest, RecordsInAFewLines) {
  const std::string text = absl::StrJoin(RecordLines("summary"), "\n");
  for (const std::string& name : Names()) EXPECT_THAT(text, HasSubstr(name));
  EXPECT_THAT(text,
              HasSubstr("8 records of 8 workloads on 1 target, by 1 run"));
}

TEST_F(RunTest, RunsOfTheTuner) {
  const std::string text = absl::StrJoin(RecordLines("runs"), "\n");
  EXPECT_THAT(text, HasSubstr("pruner"));
  EXPECT_THAT(text, HasSubstr("model=tiny output_dir=out "));
}

TEST_F(RunTest, AllRecords) {
  const std::vector<std::string> lines = RecordLines("all");
  const std::vector<MeasureRecord> records = Log().records;
  ASSERT_EQ(lines.size(), kTrials);
  ASSERT_EQ(records.size(), kTrials);
  for (int i = 0; i < kTrials; ++i) {
    const auto parsed = ParseRecord(lines[i]);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, records[i]);
  }
}

TEST_F(RunTest, BestRecords) {
  // Each task has one record, which is its best.
  std::vector<std::string> all = RecordLines("all");
  std::vector<std::string> best = RecordLines("best");
  std::sort(all.begin(), all.end());
  std::sort(best.begin(), best.end());
  EXPECT_EQ(best, all);
}

TEST_F(RunTest, RecordsOfADamagedFile) {
  const std::string bytes = ReadFileOrDie(User().File("out/records.log"));
  ASSERT_EQ(WriteFileAtomically(User().File("torn.log"),
                                bytes.substr(0, bytes.size() - 1)),
            absl::OkStatus());
  const CommandResult result = User().Run("records", {"--log=torn.log"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.stderr_text, HasSubstr(" dropped: "));
  EXPECT_THAT(result.stdout_text, HasSubstr("7 records of 7 workloads"));
  EXPECT_EQ(ReadFileOrDie(User().File("torn.log")).size(), bytes.size() - 1);
}

TEST_F(RunTest, SalvagesALogWhoseBeginningIsLost) {
  const std::string bytes = ReadFileOrDie(User().File("out/records.log"));
  ASSERT_EQ(WriteFileAtomically(User().File("half.log"), bytes.substr(40)),
            absl::OkStatus());
  const CommandResult refused = User().Run("records", {"--log=half.log"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.stderr_text, HasSubstr("not a record file"));
  const CommandResult result =
      User().Run("records", {"--log=half.log", "--salvage=found.log"});
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, HasSubstr(" in 1 parts cannot be read"));
  const CommandResult found = User().Run("records", {"--log=found.log"});
  EXPECT_EQ(found.exit_code, 0) << found.stderr_text;
  EXPECT_THAT(found.stdout_text, HasSubstr(" records of 8 workloads"));
  const CommandResult again =
      User().Run("records", {"--log=half.log", "--salvage=found.log"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.stderr_text, HasSubstr("is there already"));
}

TEST_F(RunTest, HelpNamesEveryFlag) {
  const CommandResult run = User().Run("run", {"--help"});
  EXPECT_EQ(run.exit_code, 0);
  for (const char* flag :
       {"dir", "export", "input", "model", "output", "seconds", "seed", "serve",
        "target", "top", "weights"}) {
    EXPECT_THAT(run.stdout_text, HasSubstr(absl::StrCat("\n  --", flag, "  ")));
  }
  const CommandResult records = User().Run("records", {"--help"});
  EXPECT_EQ(records.exit_code, 0);
  EXPECT_THAT(records.stdout_text, HasSubstr("\n  --log  "));
  EXPECT_THAT(records.stdout_text, HasSubstr("\n  --show  "));
}

}  // namespace
}  // namespace pruner
