// Schedules that the plugin finds by timing candidates.
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/plugin/plugin_subjects.h"
#include "pruner/base/os/files.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"

namespace pruner {
namespace {

using testing::HasSubstr;

class PluginTrialsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { LoadPlugin(); }

  // Of so many trials, on one thread, kept in the log.
  std::string SourceOf(Subject& subject, int trials) const {
    return Autoschedule(subject, {{"parallelism", "1"},
                                  {"trials", absl::StrCat(trials)},
                                  {"policy", "ansor"},
                                  {"record_log", log_},
                                  {"strict", "1"}})
        .schedule_source;
  }

  size_t TrialsInLog() const {
    const auto contents = ReadRecordLog(log_);
    if (!contents.ok()) return 0;
    size_t trials = 0;
    for (const MeasureRecord& record : contents->records)
      trials += record.race ? 0 : 1;
    return trials;
  }

  const TempDirectory folder_ = *TempDirectory::Create();
  const std::string log_ = folder_.File("records.log");
};

TEST_F(PluginTrialsTest, ImagesOfAllTypesAndNumbersAreTimedAndRight) {
  for (const Kind& kind : {Kind{"Unsharp", Unsharp}, Kind{"Equalize", Equalize},
                           Kind{"RowSums", RowSums}}) {
    SCOPED_TRACE(kind.name);
    Subject plain = Plain(kind), scheduled = kind.make();
    const size_t before = TrialsInLog();
    SourceOf(scheduled, 8);
    EXPECT_GT(TrialsInLog(), before);
    EXPECT_LE(TrialsInLog(), before + 8);
    const auto contents = ReadRecordLog(log_);
    ASSERT_TRUE(contents.ok()) << contents.status();
    int valid = 0;
    for (const MeasureRecord& record : contents->records)
      valid += record.result.ok();
    EXPECT_GT(valid, 0);
    for (const int size : {1, 120, 333}) {
      EXPECT_TRUE(SameImage(ImageBy(plain, size, size),
                            ImageBy(scheduled, size, size)));
    }
  }
}

TEST_F(PluginTrialsTest, WhatTheLogHasIsNotTimedAgain) {
  Subject first = Blur(), again = Blur(), untimed = Blur();
  const std::string source = SourceOf(first, 8);
  EXPECT_EQ(TrialsInLog(), 8);
  // But for what Halide appends to names to make them different.
  EXPECT_EQ(SourceOf(again, 8).size() / 100, source.size() / 100);
  EXPECT_EQ(SourceOf(untimed, 0).size() / 100, source.size() / 100);
  EXPECT_EQ(TrialsInLog(), 8);
  Subject further = Blur();
  SourceOf(further, 12);
  EXPECT_EQ(TrialsInLog(), 12);
}

// So that no search ends with something worse than what costs nothing.
TEST_F(PluginTrialsTest, WhatIsChosenWithoutTimingIsTimedSecond) {
  Subject timed = Unsharp(), chosen = Unsharp(), from_log = Unsharp();
  const std::string without_log = folder_.File("none.log");
  // The directives, but for what Halide appends to names to make them
  // different.
  const auto source = [&](Subject& subject, const std::string& log) {
    const std::string all =
        Autoschedule(subject, {{"parallelism", "1"}, {"record_log", log}})
            .schedule_source;
    return std::regex_replace(all.substr(all.find("compute_at(")),
                              std::regex(R"(\$\d+)"), "");
  };
  SourceOf(timed, 4);
  const auto contents = ReadRecordLog(log_);
  ASSERT_TRUE(contents.ok()) << contents.status();
  ASSERT_GE(contents->records.size(), 2u);
  const MeasureRecord& second = contents->records[1];
  EXPECT_FALSE(second.genes.empty());
  ASSERT_TRUE(second.result.ok());
  const std::string alone = folder_.File("second.log");
  {
    auto log = RecordLog::Open(alone);
    ASSERT_TRUE(log.ok()) << log.status();
    const LoggedRun& run = contents->runs.at(second.run);
    ASSERT_TRUE(
        log->log.BeginRun(run.info, contents->targets.at(run.target)).ok());
    ASSERT_TRUE(
        log->log.AddWorkload(contents->workloads.at(second.workload)).ok());
    ASSERT_TRUE(log->log.Append(second).ok());
  }
  EXPECT_EQ(source(from_log, alone), source(chosen, without_log));
}

TEST_F(PluginTrialsTest, WhatCannotBeTimedHereIsRefusedAndNothingWritten) {
  const auto refusal = [&](const std::map<std::string, std::string>& more) {
    Subject subject = Blur();
    std::map<std::string, std::string> params = {{"trials", "8"},
                                                 {"record_log", log_}};
    for (const auto& [name, value] : more) params[name] = value;
    return ErrorOf([&] { Autoschedule(subject, params); });
  };
  EXPECT_THAT(refusal({{"parallelism", "1000"}}),
              HasSubstr("autoscheduler.trials=8 with parallelism=1000: this "
                        "process may use "));
  EXPECT_THAT(refusal({{"policy", "luck"}}),
              HasSubstr("autoscheduler.policy: there is no policy 'luck'"));
  EXPECT_THAT(refusal({{"cost_model", "luck"}}),
              HasSubstr("autoscheduler.cost_model: there is no"));
  EXPECT_THAT(refusal({{"target_spec", "/nonexistent.txtpb"}}),
              HasSubstr("autoscheduler.target_spec: "));
  EXPECT_FALSE(FileExists(log_));
}

TEST_F(PluginTrialsTest, AFileOfAnotherKindIsNoLogAndStaysAsItIs) {
  ASSERT_TRUE(WriteFileAtomically(log_, "my diary").ok());
  Subject subject = Blur();
  EXPECT_THAT(ErrorOf([&] { SourceOf(subject, 8); }),
              HasSubstr("autoscheduler.record_log: "));
  EXPECT_EQ(*ReadFile(log_), "my diary");
}

TEST_F(PluginTrialsTest, ANumberWithoutAnEstimateCannotBeTimed) {
  Halide::Var x("x"), y("y");
  Halide::ImageParam in(Halide::Float(32), 2, "in");
  Halide::Param<float> gain("gain");
  Halide::Func out("out");
  out(x, y) = in(x, y) * gain;
  Subject subject = {.pipeline = out, .input = in};
  EXPECT_THAT(ErrorOf([&] { SourceOf(subject, 8); }),
              HasSubstr("the parameter 'gain' has no estimate"));
}

}  // namespace
}  // namespace pruner
