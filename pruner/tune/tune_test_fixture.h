// What tests of the tuning loop share: some tasks, a measurer on a clock of its
// own, and a run with a log.
#ifndef PRUNER_TUNE_TUNE_TEST_FIXTURE_H_
#define PRUNER_TUNE_TUNE_TEST_FIXTURE_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measure_result.h"
#include "pruner/measure/measurer.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_options.h"
#include "pruner/tune/tuning_progress.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

inline TuningTask Conv() {
  return {.workload = Workload("conv", "pipeline of conv",
                               ConvBiasReluDag({.size = 14})),
          .weight = 3};
}
inline TuningTask Matmul() {
  return {.workload = Workload("matmul", "pipeline of matmul",
                               MatmulReluDag(64, 256, 64)),
          .weight = 1};
}
// A handful of schedules.
inline TuningTask Tiny() {
  return {.workload = Workload("tiny", "", MatmulReluDag(1, 1, 1))};
}

// Of the workload of one of these.
inline std::string NameOf(const MeasureRecord& record) {
  static const auto& names =
      *new std::map<WorkloadKey, std::string>{{Conv().workload.key, "conv"},
                                              {Matmul().workload.key, "matmul"},
                                              {Tiny().workload.key, "tiny"}};
  return names.at(record.workload);
}

// Takes a second for each candidate and can be told to fail.
class SlowMeasurer : public Measurer {
 public:
  SlowMeasurer(Clock& clock, double failure_rate)
      : clock_(clock), fake_({.failure_rate = failure_rate}) {}

  absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                       absl::Span<const Schedule> schedules,
                       const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override {
    policies.insert(policy);
    return fake_.Measure(
        workload, policy, schedules,
        [&](size_t i, const MeasureResult& result) {
          clock_.SleepFor(takes);
          return on_result(i, workload.name == fails
                                  ? FailedResult(FailureKind::kCrash, "")
                                  : result);
        },
        is_unwanted);
  }

  absl::Duration takes = absl::Seconds(1);
  std::string fails;  // the name of a workload
  std::set<MeasurePolicy> policies;

 private:
  Clock& clock_;
  FakeMeasurer fake_;
};

class Recorder : public TuningListener {
 public:
  void OnProgress(const TuningProgress& progress) override {
    events.push_back(progress);
    if (then) then();
  }
  void OnRace(const RaceProgress& progress) override {
    races.push_back(progress);
  }

  std::vector<TuningProgress> events;
  std::vector<RaceProgress> races;
  std::function<void()> then;
};

class TuneTest : public testing::Test {
 protected:
  std::string Path(absl::string_view name) { return directory_.File(name); }

  TuningTools Tools() {
    return {.target = target_,
            .measurer = measurer_,
            .scheduler = *scheduler_,
            .make_policy =
                [this](const TuningTask& task) {
                  PolicyInputs inputs = {.context = ContextOf(task, target_)};
                  if (models_ != nullptr) models_->AddTo(inputs);
                  return policy_->make(inputs);
                },
            .clock = clock_,
            .run = {.policy = "mutate",
                    .options = {{"model", "test"}},
                    .host = "here"},
            .listener = &recorder_};
  }

  // Tunes with a log, going on where it ends, without a race; stops after
  // `stop_after` trials of this run.
  TuningOutcome TuneLogged(const std::string& path,
                           const std::vector<TuningTask>& tasks,
                           TuningOptions options,
                           size_t stop_after = 1'000'000) {
    options.race_candidates = 0;
    auto opened = RecordLog::Open(path);
    EXPECT_THAT(opened, absl_testing::IsOk());
    models_ = *PolicyModels::For(*policy_, target_);
    TuningTools tools = Tools();
    tools.log = &opened->log;
    tools.learner = models_->learner();
    recorder_.events.clear();
    tools.interrupted = [&] { return recorder_.events.size() >= stop_after; };
    const auto outcome = Tune(tasks, opened->contents.records, tools, options);
    EXPECT_THAT(outcome, absl_testing::IsOk());
    return *outcome;
  }

  std::vector<MeasureRecord> Records(const std::string& path) {
    return ReadRecordLog(path)->records;
  }

  TempDirectory directory_ = TempDirectory::Create().value();
  const TargetSpec target_ = SampleCpuTarget();
  FakeClock clock_;
  SlowMeasurer measurer_{clock_, 0.2};
  std::unique_ptr<PolicyModels> models_;
  const PolicyEntry* policy_ = *FindPolicy("mutate");
  std::unique_ptr<TaskScheduler> scheduler_ =
      std::make_unique<RoundRobinScheduler>();
  Recorder recorder_;
};

// Each workload's schedules, in order.
inline std::map<std::string, std::vector<std::string>> ByWorkload(
    const std::vector<MeasureRecord>& records) {
  std::map<std::string, std::vector<std::string>> schedules;
  for (const MeasureRecord& record : records) {
    schedules[NameOf(record)].push_back(PrintSchedule(record.schedule));
  }
  return schedules;
}

inline void ExpectCountedAndDistinct(
    const std::vector<MeasureRecord>& records) {
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].trial, i);
  }
  for (const auto& [name, schedules] : ByWorkload(records)) {
    EXPECT_EQ(std::set<std::string>(schedules.begin(), schedules.end()).size(),
              schedules.size())
        << name;
  }
}

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNE_TEST_FIXTURE_H_
