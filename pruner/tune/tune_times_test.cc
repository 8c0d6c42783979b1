// What a run of the tuner says its time went to.
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/cost/random_cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/features/columns.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/search/policy_table.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/learner.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_progress.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

// Each takes so long for what it does, by the fake clock.
constexpr absl::Duration kTrial = absl::Seconds(1);
constexpr absl::Duration kProposing = absl::Seconds(10);
constexpr absl::Duration kTraining = absl::Seconds(100);
constexpr absl::Duration kTelling = absl::Milliseconds(250);

class SlowMeasurer : public Measurer {
 public:
  explicit SlowMeasurer(FakeClock& clock) : clock_(clock) {}
  absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                       absl::Span<const Schedule> schedules,
                       const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override {
    return fake_.Measure(
        workload, policy, schedules,
        [&](size_t i, const MeasureResult& result) {
          clock_.Advance(kTrial);
          return on_result(i, result);
        },
        is_unwanted);
  }

 private:
  FakeClock& clock_;
  FakeMeasurer fake_;
};

class SlowPolicy : public SearchPolicy {
 public:
  SlowPolicy(std::unique_ptr<SearchPolicy> policy, FakeClock& clock)
      : policy_(std::move(policy)), clock_(clock) {}
  const Schedule& DefaultSchedule() const override {
    return policy_->DefaultSchedule();
  }
  absl::StatusOr<std::vector<Proposal>> Propose(int n, Rng& rng) override {
    clock_.Advance(kProposing);
    return policy_->Propose(n, rng);
  }
  void Observe(const Proposal& proposal, const MeasureResult& result) override {
    policy_->Observe(proposal, result);
  }
  const RejectionCounts& rejections() const override {
    return policy_->rejections();
  }

 private:
  std::unique_ptr<SearchPolicy> policy_;
  FakeClock& clock_;
};

class SlowModel : public RandomCostModel {
 public:
  explicit SlowModel(FakeClock& clock) : RandomCostModel(1), clock_(clock) {}

 private:
  absl::Status Learn(const FeatureRows& /*programs*/,
                     absl::Span<const ProgramLabel> /*labels*/,
                     const IsUnwanted& is_unwanted) override {
    clock_.Advance(kTraining);
    return is_unwanted() ? absl::CancelledError("unwanted") : absl::OkStatus();
  }

  FakeClock& clock_;
};

class SlowListener : public TuningListener {
 public:
  explicit SlowListener(FakeClock& clock) : clock_(clock) {}
  void OnProgress(const TuningProgress&) override { clock_.Advance(kTelling); }
  void OnRace(const RaceProgress&) override {}

 private:
  FakeClock& clock_;
};

class TuneTimesTest : public testing::Test {
 protected:
  TuningOutcome TuneConv(SlowModel& model,
                         absl::Duration time_limit = absl::InfiniteDuration()) {
    // Trained once, before the second round.
    Learner learner(model, ColumnSet::kAll, target_,
                    {.first_training = 8, .growth = 10});
    const TuningTask task = {
        .workload = Workload("conv", "", ConvBiasReluDag({.size = 14}))};
    const auto make_policy = [&](const TuningTask& tuned)
        -> absl::StatusOr<std::unique_ptr<SearchPolicy>> {
      auto policy =
          (*FindPolicy("mutate"))->make({.context = ContextOf(tuned, target_)});
      return std::make_unique<SlowPolicy>(*std::move(policy), clock_);
    };
    auto outcome =
        Tune({task}, {},
             {.target = target_,
              .measurer = measurer_,
              .scheduler = scheduler_,
              .make_policy = make_policy,
              .clock = clock_,
              .learner = &learner,
              .listener = &listener_},
             {.trials = 16, .time_limit = time_limit, .race_candidates = 0});
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return *std::move(outcome);
  }

  FakeClock clock_;
  const TargetSpec target_ = SampleCpuTarget();
  SlowMeasurer measurer_{clock_};
  SlowListener listener_{clock_};
  RoundRobinScheduler scheduler_;
};

TEST_F(TuneTimesTest, TellsWhatTheTimeWentTo) {
  SlowModel model(clock_);
  const TuningOutcome outcome = TuneConv(model);
  EXPECT_EQ(outcome.measuring, 16 * kTrial);
  EXPECT_EQ(outcome.proposing, 3 * kProposing);
  EXPECT_EQ(outcome.training, kTraining);
  EXPECT_EQ(outcome.elapsed,
            16 * (kTrial + kTelling) + 3 * kProposing + kTraining);
}

// The time is over in the middle of it.
TEST_F(TuneTimesTest, LearningThatIsNotWantedEndsTheSearch) {
  SlowModel model(clock_);
  const TuningOutcome outcome = TuneConv(
      model, 12 * (kTrial + kTelling) + 2 * kProposing + kTraining / 2);
  EXPECT_EQ(outcome.end, TuningEnd::kTimeLimit);
  EXPECT_EQ(outcome.new_trials, 12);
  EXPECT_EQ(outcome.training, kTraining);
}

}  // namespace
}  // namespace pruner
