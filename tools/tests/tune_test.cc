// tune from its arguments to what it leaves behind, and going on from there.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int kTrials = 30;
constexpr int kTasks = 9;

std::vector<std::string> TuneArguments(int trials) {
  return {"--model=tiny", "--output_dir=out", absl::StrCat("--trials=", trials),
          "--time_limit=3m", "--race=0"};
}

void Write(const std::string& path, absl::string_view contents) {
  ASSERT_EQ(MakeDirectories(DirectoryOf(path)), absl::OkStatus());
  ASSERT_EQ(WriteFileAtomically(path, contents), absl::OkStatus());
}

// Tunes once; each test looks at the outcome, or goes on from the log's bytes
// in a folder of its own.
class TuneTest : public testing::Test {
 protected:
  struct Outcome {
    Workplace user;
    CommandResult result;
    proto::Summary summary;
    LogContents log;
    std::string log_bytes;
  };

  static const Outcome& Tuned() {
    static const Outcome& outcome = *[] {
      auto* const tuned = new Outcome;
      tuned->result = tuned->user.Run("tune", TuneArguments(kTrials));
      EXPECT_EQ(tuned->result.exit_code, 0) << tuned->result.stderr_text;
      tuned->summary = ReadSummaryOrDie(tuned->user.File("out"));
      tuned->log = ReadLogOrDie(tuned->user.File("out/records.log"));
      tuned->log_bytes = ReadFileOrDie(tuned->user.File("out/records.log"));
      return tuned;
    }();
    return outcome;
  }

  void StartFrom(const std::string& log_bytes) {
    Write(user_.File("out/records.log"), log_bytes);
  }

  LogContents Log() const {
    return ReadLogOrDie(user_.File("out/records.log"));
  }

  Workplace user_;
};

// Whether `records` begins with the first `count` of `start`.
void ExpectBeginsWith(const std::vector<MeasureRecord>& records,
                      const std::vector<MeasureRecord>& start, size_t count) {
  ASSERT_GE(records.size(), count);
  EXPECT_TRUE(std::equal(records.begin(),
                         records.begin() + static_cast<int64_t>(count),
                         start.begin()));
}

TEST_F(TuneTest, SummaryTellsOfTheNetwork) {
  const proto::Summary& summary = Tuned().summary;
  EXPECT_EQ(summary.model(), "tiny");
  EXPECT_EQ(summary.target(), TestHost().name);
  EXPECT_EQ(summary.batch(), 1);
  EXPECT_EQ(summary.threads(), TestHost().units.cores);
  EXPECT_EQ(summary.policy(), "pruner");
  EXPECT_EQ(summary.scheduler(), "gradient");
  EXPECT_EQ(summary.seed(), 1);
  EXPECT_GT(summary.network_latency_ms(), 0);
  EXPECT_LE(summary.network_latency_min_ms(), summary.network_latency_ms());
  EXPECT_GT(summary.baseline_latency_ms(), 0);
  EXPECT_DOUBLE_EQ(summary.network_gflops(), summary.network_gflop() * 1e3 /
                                                 summary.network_latency_ms());
  EXPECT_DOUBLE_EQ(summary.peak_gflops(), TestHost().peaks.fp32_gflops);
  EXPECT_DOUBLE_EQ(summary.network_peak_fraction(),
                   summary.network_gflops() / summary.peak_gflops());
  EXPECT_GT(summary.max_abs_error(), 0);  // the interpreter computes in double
  EXPECT_LT(summary.max_abs_error(), 1e-5);
  EXPECT_LT(summary.max_rel_error(), 1e-5);
  EXPECT_EQ(summary.trials(), kTrials);
  EXPECT_EQ(summary.new_trials(), kTrials);
  EXPECT_GT(summary.trials_per_second(), 0);
  EXPECT_NEAR(summary.trials_per_second() * summary.elapsed_seconds(), kTrials,
              1e-6);
  EXPECT_GE(summary.tuner_overhead(), 0);
  EXPECT_LT(summary.tuner_overhead(), 1);
  EXPECT_EQ(summary.ended(), "trials_done");
  EXPECT_GT(summary.finishing_seconds(), 0);
  EXPECT_EQ(summary.wrong_kernel(), "");
}

TEST_F(TuneTest, SummaryTellsOfTheTasks) {
  const proto::Summary& summary = Tuned().summary;
  ASSERT_EQ(summary.tasks_size(), kTasks);
  std::set<std::string> names;
  double gflop = 0;
  int trials = 0;
  for (const proto::TaskSummary& task : summary.tasks()) {
    SCOPED_TRACE(task.name());
    EXPECT_TRUE(names.insert(task.name()).second);
    EXPECT_NE(task.operators(), "");
    EXPECT_EQ(task.weight(), 1);
    EXPECT_GT(task.best_ms(), 0);
    EXPECT_GT(task.default_ms(), 0);
    EXPECT_LE(task.best_ms(), task.default_ms());
    EXPECT_NEAR(task.gflops(), task.gflop() * 1e3 / task.best_ms(),
                1e-9 * task.gflops());
    EXPECT_DOUBLE_EQ(task.peak_fraction(),
                     task.gflops() / summary.peak_gflops());
    // Each has a round, of one trial; the others go where they promise most.
    EXPECT_GE(task.trials(), 1);
    EXPECT_EQ(task.formulation_ms().at(task.formulation()), task.best_ms());
    for (const auto& [formulation, ms] : task.formulation_ms()) {
      EXPECT_LE(task.best_ms(), ms) << formulation;
      ASSERT_TRUE(task.formulation_error().contains(formulation));
      EXPECT_LT(task.formulation_error().at(formulation), 2e-4);
    }
    EXPECT_EQ(absl::EndsWith(task.name(), task.formulation()),
              task.formulation() != "direct");
    gflop += task.weight() * task.gflop();
    trials += task.trials();
  }
  EXPECT_DOUBLE_EQ(gflop, summary.network_gflop());
  EXPECT_EQ(trials, summary.trials());
}

TEST_F(TuneTest, InTurnsEachTaskHasItsShare) {
  std::vector<std::string> arguments = TuneArguments(kTrials);
  arguments.push_back("--scheduler=round_robin");
  const CommandResult result = user_.Run("tune", arguments);
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  ASSERT_EQ(summary.tasks_size(), kTasks);
  for (const proto::TaskSummary& task : summary.tasks()) {
    // Rounds are of one trial at first, of two later.
    EXPECT_GE(task.trials(), kTrials / kTasks - 1) << task.name();
  }
}

// A program that reads the summary may expect each field, also those that are
// zero.
TEST_F(TuneTest, SummaryNamesEveryField) {
  const std::string json = ReadFileOrDie(Tuned().user.File("out/summary.json"));
  for (const auto* message :
       {proto::Summary::descriptor(), proto::TaskSummary::descriptor()}) {
    for (int i = 0; i < message->field_count(); ++i) {
      EXPECT_THAT(json, HasSubstr(absl::StrCat("\"", message->field(i)->name(),
                                               "\": ")));
    }
  }
}

TEST_F(TuneTest, TheLogHasAllTrials) {
  const LogContents& log = Tuned().log;
  ASSERT_EQ(log.runs.size(), 1);
  const LoggedRun& run = log.runs.at(1);
  EXPECT_EQ(run.info.Option("model"), "tiny");
  EXPECT_EQ(run.info.Option("trials"), absl::StrCat(kTrials));
  EXPECT_EQ(run.info.Option("batch"), "");  // the user did not give it
  EXPECT_EQ(log.targets.at(run.target), TestHost());
  ASSERT_EQ(log.records.size(), kTrials);
  for (int i = 0; i < kTrials; ++i) EXPECT_EQ(log.records[i].trial, i);
}

TEST_F(TuneTest, EachTaskHasItsSchedule) {
  const auto files = ListDirectory(Tuned().user.File("out/schedules/tiny"));
  ASSERT_TRUE(files.ok()) << files.status();
  std::set<std::string> wanted;
  for (const proto::TaskSummary& task : Tuned().summary.tasks())
    wanted.insert(task.name() + ".h");
  EXPECT_EQ(std::set<std::string>(files->begin(), files->end()), wanted);
  for (const std::string& file : *files) {
    EXPECT_THAT(
        ReadFileOrDie(Tuned().user.File("out/schedules/tiny/" + file)),
        AllOf(HasSubstr("inline void schedule_"), HasSubstr("compute_root")));
  }
}

TEST_F(TuneTest, StdoutTellsAPerson) {
  const CommandResult& result = Tuned().result;
  EXPECT_EQ(result.stderr_text, "");
  EXPECT_THAT(result.stdout_text, Not(HasSubstr("\r")));
  EXPECT_THAT(result.stdout_text, HasSubstr("30/30 trials"));
  EXPECT_THAT(result.stdout_text, HasSubstr("\nwhole network: "));
  EXPECT_THAT(result.stdout_text, HasSubstr("\nwith default schedules: "));
  const size_t table = result.stdout_text.find("\ntask ");
  ASSERT_NE(table, std::string::npos);
  for (const proto::TaskSummary& task : Tuned().summary.tasks())
    EXPECT_NE(result.stdout_text.find(task.name(), table), std::string::npos);
}

TEST_F(TuneTest, WithoutFurtherTrialsNothingIsMeasured) {
  StartFrom(Tuned().log_bytes);
  const CommandResult result = user_.Run("tune", TuneArguments(kTrials));
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, HasSubstr("\ngoing on after 30 trials\n"));
  EXPECT_EQ(ReadFileOrDie(user_.File("out/records.log")), Tuned().log_bytes);
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.trials(), kTrials);
  EXPECT_EQ(summary.new_trials(), 0);
  for (int i = 0; i < kTasks; ++i) {
    EXPECT_EQ(summary.tasks(i).best_ms(), Tuned().summary.tasks(i).best_ms());
    EXPECT_EQ(summary.tasks(i).default_ms(),
              Tuned().summary.tasks(i).default_ms());
  }
}

TEST_F(TuneTest, TheFastestRaceAtTheEnd) {
  StartFrom(Tuned().log_bytes);
  std::vector<std::string> args = TuneArguments(kTrials);
  args.back() = "--race=2";
  const CommandResult result = user_.Run("tune", args);
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, HasSubstr("\ntiming candidates again: "));
  const LogContents log = Log();
  ExpectBeginsWith(log.records, Tuned().log.records, kTrials);
  ASSERT_EQ(TrialsOf(log).size(), kTrials);
  const BestRecords best(log.records);
  std::map<std::string, MeasureResult> winners;  // by name
  for (size_t i = kTrials; i < log.records.size(); ++i) {
    const MeasureRecord& record = log.records[i];
    EXPECT_EQ(record.trial, i);
    EXPECT_EQ(record.run, 2);
    ASSERT_TRUE(record.result.ok());
    const MeasureRecord& winner = *best.Of(RecordKeyOf(record)).best;
    EXPECT_TRUE(winner.race);
    winners[log.NameOf(record.workload)] = winner.result;
  }
  EXPECT_GE(winners.size(), kTasks);
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.trials(), kTrials);
  EXPECT_EQ(summary.new_trials(), 0);
  double predicted = 0;
  for (const proto::TaskSummary& task : summary.tasks()) {
    if (const auto won = winners.find(task.name()); won != winners.end()) {
      EXPECT_DOUBLE_EQ(task.best_ms(), Cost(won->second) * 1e3) << task.name();
      EXPECT_DOUBLE_EQ(task.mean_ms(), MeanSeconds(won->second) * 1e3)
          << task.name();
    }
    predicted += task.weight() * task.mean_ms();
  }
  EXPECT_DOUBLE_EQ(summary.predicted_latency_ms(), predicted);
}

TEST_F(TuneTest, FurtherTrialsAreAppended) {
  StartFrom(Tuned().log_bytes);
  const CommandResult result = user_.Run("tune", TuneArguments(kTrials + 4));
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(ReadFileOrDie(user_.File("out/records.log")),
              StartsWith(Tuned().log_bytes));
  EXPECT_EQ(Log().records.size(), kTrials + 4);
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.trials(), kTrials + 4);
  EXPECT_EQ(summary.new_trials(), 4);
}

TEST_F(TuneTest, ATornEndCostsOneRecord) {
  StartFrom(Tuned().log_bytes.substr(0, Tuned().log_bytes.size() - 10));
  const CommandResult result = user_.Run("tune", TuneArguments(kTrials));
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, HasSubstr(" dropped: "));
  EXPECT_THAT(result.stdout_text, HasSubstr("\ngoing on after 29 trials\n"));
  EXPECT_EQ(Log().records.size(), kTrials);
  ExpectBeginsWith(Log().records, Tuned().log.records, kTrials - 1);
  EXPECT_TRUE(FileExists(user_.File("out/records.log.dropped")));
}

TEST_F(TuneTest, DamageCostsTheDamagedRecords) {
  std::string bytes = Tuned().log_bytes;
  for (size_t i = bytes.size() - 40; i < bytes.size() - 20; ++i)
    bytes[i] = static_cast<char>(~bytes[i]);
  const absl::string_view marker("\xf1PRN\xd2\xc5\x8e\n");  // of a frame
  const size_t last = bytes.rfind(marker);
  const size_t last_but_one = bytes.rfind(marker, last - 1) + 30;
  bytes[last_but_one] = static_cast<char>(~bytes[last_but_one]);
  StartFrom(bytes);
  const CommandResult result = user_.Run("tune", TuneArguments(kTrials));
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, HasSubstr(" dropped: "));
  EXPECT_THAT(result.stdout_text, HasSubstr("\ngoing on after 28 trials\n"));
  const LogContents log = Log();
  EXPECT_EQ(log.records.size(), kTrials);
  for (int i = 0; i < kTrials - 2; ++i)
    EXPECT_THAT(Tuned().log.records, testing::Contains(log.records[i])) << i;
}

TEST_F(TuneTest, FreshPutsTheLogAside) {
  StartFrom(Tuned().log_bytes);
  std::vector<std::string> args = TuneArguments(1);
  args.emplace_back("--fresh");
  const CommandResult result = user_.Run("tune", args);
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text,
              HasSubstr(absl::StrCat(user_.File("out/records.log.1"), "\n")));
  EXPECT_EQ(ReadFileOrDie(user_.File("out/records.log.1")), Tuned().log_bytes);
  EXPECT_EQ(Log().records.size(), 1);
  // Most tasks have no candidate then, and none of the numbers that come of it.
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.tasks(1).best_ms(), 0);
  EXPECT_GT(summary.network_latency_ms(), 0);
}

TEST_F(TuneTest, EndsWithItsTime) {
  const CommandResult result =
      user_.Run("tune", {"--model=tiny", "--output_dir=out", "--trials=1000",
                         "--time_limit=50ms"});
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text, Not(HasSubstr(" 0.00 ns left")));
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.ended(), "time_limit");
  EXPECT_LT(summary.trials(), 1000);
  EXPECT_EQ(summary.trials(), TrialsOf(Log()).size());
}

TEST_F(TuneTest, TunesAGraphFile) {
  Write(user_.File("models/small.txtpb"), ReadFileOrDie("testdata/tiny.txtpb"));
  const CommandResult result = user_.Run(
      "tune", {"--model=models/small.txtpb", "--trials=2", "--policy=random",
               "--scheduler=gradient", "--threads=1"});
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  // Without --output_dir the folder has the model's name.
  const proto::Summary summary = ReadSummaryOrDie(user_.File("pruner_small"));
  EXPECT_EQ(summary.tasks_size(), kTasks);
  EXPECT_EQ(summary.trials(), 2);
  EXPECT_EQ(summary.threads(), 1);
  EXPECT_EQ(summary.policy(), "random");
  EXPECT_EQ(summary.scheduler(), "gradient");
  const LogContents log = ReadLogOrDie(user_.File("pruner_small/records.log"));
  EXPECT_EQ(log.runs.at(1).info.Option("model"), "models/small.txtpb");
  EXPECT_EQ(log.runs.at(1).info.Option("scheduler"), "gradient");
}

// What is given as nothing is the default as well.
TEST_F(TuneTest, BatchAndFormulationsAreHeeded) {
  const CommandResult result = user_.Run(
      "tune", {"--model=tiny", "--output_dir=out", "--trials=12", "--batch=2",
               "--formulations=direct,winograd_f2,winograd_f4",
               "--max_error=1e-4", "--seed=7"});
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.batch(), 2);
  EXPECT_EQ(summary.seed(), 7);
  std::set<std::string> formulations;
  for (const proto::TaskSummary& task : summary.tasks()) {
    for (const auto& [formulation, error] : task.formulation_error())
      formulations.insert(formulation);
  }
  // The error that F4 may have is larger.
  EXPECT_THAT(formulations, ElementsAre("direct", "winograd_f2"));
  const CommandResult run = user_.Run("run", {"--dir=out", "--seconds=0.05"});
  EXPECT_EQ(run.exit_code, 0) << run.stderr_text;
  EXPECT_THAT(run.stdout_text, HasSubstr("tiny, batch 2"));
}

TEST_F(TuneTest, TheLogSaysWhatChoseTheCandidates) {
  for (const char* given : {"--race=0", "--cost_model="}) {
    const CommandResult result = user_.Run(
        "tune",
        {"--model=tiny", "--output_dir=out", "--trials=2", "--fresh", given});
    ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
    const LogContents log = ReadLogOrDie(user_.File("out/records.log"));
    EXPECT_EQ(log.runs.at(1).info.Option("cost_model"), "pacm") << given;
    EXPECT_EQ(log.runs.at(1).info.Option("pretrained"), "cpu") << given;
    EXPECT_EQ(log.runs.at(1).info.Option("scheduler"), "gradient") << given;
  }
}

TEST_F(TuneTest, HelpNamesEveryFlag) {
  const CommandResult result = user_.Run("tune", {"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stderr_text, "");
  for (const char* flag :
       {"adapt",           "batch",      "columns",      "compare",
        "compile_timeout", "cost_model", "formulations", "fresh",
        "max_error",       "model",      "objective",    "output_dir",
        "patience",        "policy",     "pretrained",   "race",
        "scheduler",       "seed",       "target",       "threads",
        "time_limit",      "training",   "trials"}) {
    EXPECT_THAT(result.stdout_text,
                HasSubstr(absl::StrCat("\n  --", flag, "  ")));
  }
}

}  // namespace
}  // namespace pruner
