// collect, evaluate and pretrain: from programs that are timed to models, and
// what is said of them.
#include <signal.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr int kTasks = 9;  // of the network "tiny"

class DataSetsTest : public testing::Test {
 protected:
  CommandResult Collect(const std::vector<std::string>& more) const {
    std::vector<std::string> args = {"--output_dir=out"};
    args.insert(args.end(), more.begin(), more.end());
    return user_.Run("collect", args);
  }

  LogContents Log() const {
    return ReadLogOrDie(user_.File("out/records.log"));
  }

  Workplace user_;
};

std::map<WorkloadKey, int> CountByWorkload(
    const std::vector<MeasureRecord>& records) {
  std::map<WorkloadKey, int> counts;
  for (const MeasureRecord& record : records) ++counts[record.workload];
  return counts;
}

std::vector<MeasureRecord> RacesOf(const LogContents& log) {
  std::vector<MeasureRecord> races = log.records;
  std::erase_if(races,
                [](const MeasureRecord& record) { return !record.race; });
  return races;
}

TEST_F(DataSetsTest, CollectedAndEvaluated) {
  const CommandResult collected =
      Collect({"--model=tiny", "--programs=5", "--again=2"});
  EXPECT_EQ(collected.exit_code, 0) << collected.stderr_text;
  EXPECT_THAT(collected.stdout_text,
              AllOf(HasSubstr("tiny: 9 tasks\n"), HasSubstr("45/45 trials"),
                    HasSubstr("\n63 records of 9 workloads")));
  const LogContents log = Log();
  const auto trials = CountByWorkload(TrialsOf(log));
  EXPECT_THAT(trials, SizeIs(kTasks));
  EXPECT_THAT(trials, Each(Pair(_, 5)));
  EXPECT_THAT(CountByWorkload(RacesOf(log)), Each(Pair(_, 2)));
  ASSERT_THAT(log.runs, SizeIs(1));
  EXPECT_EQ(log.runs.begin()->second.info.policy, "random");
  EXPECT_EQ(log.runs.begin()->second.info.Option("model"), "tiny");

  const CommandResult judged = user_.Run(
      "evaluate",
      {"--data=out", "--drafts=3", "--json", "--csv=tasks.csv", "--ablation"});
  EXPECT_EQ(judged.exit_code, 0) << judged.stderr_text;
  EXPECT_THAT(judged.stdout_text,
              AllOf(HasSubstr("\nall 9 "), HasSubstr("\nnoise floor: "),
                    HasSubstr("\nread conflicts "), HasSubstr("\n{\"")));
  const std::string csv = ReadFileOrDie(user_.File("tasks.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), kTasks + 1);
}

TEST_F(DataSetsTest, NetworksAreTrainedAndUsed) {
  ASSERT_EQ(Collect({"--model=tiny", "--programs=80", "--again=0"}).exit_code,
            0);
  const CommandResult trained = user_.Run(
      "pretrain", {"--data=out", "--cost_model=mlp", "--output=tiny.network"});
  EXPECT_EQ(trained.exit_code, 0) << trained.stderr_text;
  EXPECT_THAT(trained.stdout_text, AllOf(HasSubstr(" programs of 9 tasks"),
                                         HasSubstr("tiny.network\n")));
  const CommandResult judged =
      user_.Run("evaluate", {"--data=out", "--scorer=mlp", "--split=none",
                             "--pretrained=tiny.network", "--drafts=3"});
  EXPECT_EQ(judged.exit_code, 0) << judged.stderr_text;
  EXPECT_THAT(judged.stdout_text, HasSubstr("\nall 9 "));
  const CommandResult tuned =
      user_.Run("tune", {"--model=tiny", "--trials=120", "--cost_model=mlp",
                         "--pretrained=tiny.network", "--output_dir=tuned"});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.stderr_text;
  EXPECT_THAT(tuned.stdout_text, HasSubstr("120/120 trials"));
  // A network that reads other columns, and a file that is none.
  const CommandResult other =
      user_.Run("tune", {"--model=tiny", "--trials=120", "--cost_model=pacm",
                         "--pretrained=tiny.network", "--output_dir=other"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.stderr_text, AllOf(HasSubstr("tiny.network was trained on"),
                                       HasSubstr("these are ")));
  const CommandResult none =
      user_.Run("tune", {"--model=tiny", "--trials=120", "--cost_model=mlp",
                         "--pretrained=out/records.log", "--output_dir=other"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.stderr_text, HasSubstr("records.log is no network"));
}

TEST_F(DataSetsTest, GoesOnWithItsLog) {
  ASSERT_EQ(
      Collect({"--operators=gmm_1", "--programs=3", "--again=3"}).exit_code, 0);
  const std::vector<MeasureRecord> before = Log().records;
  EXPECT_THAT(before, SizeIs(6));
  const CommandResult more =
      Collect({"--operators=gmm_1", "--programs=6", "--again=3"});
  EXPECT_EQ(more.exit_code, 0) << more.stderr_text;
  EXPECT_THAT(more.stdout_text, HasSubstr("\ngoing on after 3 trials"));
  const LogContents log = Log();
  ASSERT_THAT(log.records, SizeIs(9));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), log.records.begin()));
  std::vector<std::string> schedules;
  for (const MeasureRecord& record : TrialsOf(log))
    schedules.push_back(PrintRecord({.schedule = record.schedule}));
  std::sort(schedules.begin(), schedules.end());
  EXPECT_EQ(std::unique(schedules.begin(), schedules.end()), schedules.end());
}

TEST_F(DataSetsTest, OfOneWayToDrawPrograms) {
  ASSERT_EQ(
      Collect({"--operators=gmm_1", "--programs=2", "--again=0"}).exit_code, 0);
  const std::string before = ReadFileOrDie(user_.File("out/records.log"));
  const CommandResult other =
      Collect({"--operators=gmm_1", "--programs=3", "--sampling=ansor"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.stderr_text,
              AllOf(HasSubstr("--sampling=hardware"), HasSubstr("--fresh")));
  EXPECT_EQ(ReadFileOrDie(user_.File("out/records.log")), before);
  EXPECT_EQ(Collect({"--operators=gmm_1", "--programs=2", "--sampling=ansor",
                     "--again=0", "--fresh"})
                .exit_code,
            0);
}

TEST_F(DataSetsTest, InterruptedItSaysSo) {
  Process collect = user_.Start(
      "collect", {"--model=tiny", "--programs=1000", "--output_dir=out"});
  ASSERT_TRUE(WaitUntil([&] {
    const auto log = ReadRecordLog(user_.File("out/records.log"));
    return log.ok() && TrialsOf(*log).size() >= 3;
  })) << ReadFileOrDie(user_.File("stderr"));
  ASSERT_EQ(kill(collect.pid(), SIGINT), 0);
  const ExitStatus status = collect.Wait();
  EXPECT_EQ(status.signal, 0);
  EXPECT_EQ(status.exit_code, 0) << ReadFileOrDie(user_.File("stderr"));
  EXPECT_THAT(ReadFileOrDie(user_.File("stdout")),
              HasSubstr("\ninterrupted: "));
  EXPECT_THAT(RacesOf(Log()), IsEmpty());
}

}  // namespace
}  // namespace pruner
