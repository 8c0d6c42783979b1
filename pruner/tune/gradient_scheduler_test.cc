#include "pruner/tune/gradient_scheduler.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/slot_history.h"
#include "pruner/tune/task_state.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

constexpr int kRound = 8;
// Of a round in which all failed.
constexpr double kNone = 0;

// A slot with a single task, and the best seconds after each of its rounds.
struct OneTask {
  std::vector<double> rounds;
  double weight = 1;
  int64_t flops = 0;
  std::string tag = {};
  int network = 0;
};

void AddRound(TuningState& state, size_t task, std::optional<double> seconds) {
  TaskState& of_task = state.tasks[task];
  of_task.trials += kRound;
  if (seconds && (!of_task.best_seconds || *seconds < *of_task.best_seconds))
    of_task.best_seconds = seconds;
  SlotHistory& history =
      state.histories.try_emplace(of_task.Slot(), kRound).first->second;
  for (int i = 0; i < kRound; ++i) history.Add(seconds);
}

TuningState StateOf(const std::vector<OneTask>& slots) {
  TuningState state;
  for (size_t i = 0; i < slots.size(); ++i) {
    const OneTask& slot = slots[i];
    state.tasks.push_back({.uses = {{.slot = static_cast<int>(i),
                                     .weight = slot.weight,
                                     .network = slot.network}},
                           .flops = slot.flops,
                           .similarity_tag = slot.tag});
    state.histories.try_emplace(static_cast<int>(i), kRound);
    for (const double seconds : slot.rounds) {
      AddRound(
          state, i,
          seconds == kNone ? std::nullopt : std::optional<double>(seconds));
    }
  }
  return state;
}

std::optional<size_t> Next(const std::vector<OneTask>& slots,
                           const GradientOptions& options = {.fair_share = 0}) {
  return GradientScheduler(options).Next(StateOf(slots));
}

// How many of the next rounds each task has if these bring nothing.
std::vector<int> Rounds(TuningState state, int rounds,
                        const GradientOptions& options = {.fair_share = 0}) {
  GradientScheduler scheduler(options);
  std::vector<int> counts(state.tasks.size());
  for (int i = 0; i < rounds; ++i) {
    const size_t next = scheduler.Next(state).value();
    ++counts[next];
    AddRound(state, next, state.tasks[next].best_seconds);
  }
  return counts;
}

TEST(GradientSchedulerTest, EverySlotHasARoundFirst) {
  EXPECT_EQ(Next({{{5}}, {{}}, {{}}}), 1u);
  EXPECT_EQ(Next({{{5}}, {{1e-9}}, {{}}}), 2u);
}

// 5 rounds each. The formula, by hand: the first one's trend is (4 - 10) / 3 =
// -2 a round, and 4 / 5 is expected to be gained: 0.2 * -2 + 0.8 * -0.8 =
// -1.04. The second one's is 0.8 * -6 / 5 = -0.96.
TEST(GradientSchedulerTest, WhoeverImprovesTheMostIsNext) {
  EXPECT_EQ(Next({{{11, 10, 8, 6, 4}}, {{6, 6, 6, 6, 6}}}), 0u);
  EXPECT_EQ(Next({{{11, 10, 8, 6, 4}}, {{7, 7, 7, 7, 7}}}), 1u);
  // Too young for a trend: 0.8 * -6 / 3 = -1.6 against 0.8 * -8 / 3.
  EXPECT_EQ(Next({{{11, 8, 6}}, {{8, 8, 8}}}), 1u);
}

TEST(GradientSchedulerTest, WeightsCount) {
  EXPECT_EQ(Next({{{2, 1}}, {{4, 3}}}), 1u);
  EXPECT_EQ(Next({{{2, 1}, /*weight=*/4}, {{4, 3}}}), 0u);
}

// 0.8 * 8 / 2 in 3 s is less than 0.8 * 4 / 2 in 1 s. Whoever's trials nobody
// knows takes as long as they do on the average, 2 s.
TEST(GradientSchedulerTest, WhatTrialsTakeCounts) {
  TuningState state = StateOf({{{8, 8}}, {{4, 4}}, {{9, 9}}});
  EXPECT_THAT(Rounds(state, 1), ElementsAre(0, 0, 1));
  state.tasks[0].trial_seconds = 3;
  state.tasks[1].trial_seconds = 1;
  EXPECT_THAT(Rounds(state, 1), ElementsAre(0, 0, 1));
  state.tasks[2].trial_seconds = 3;
  EXPECT_THAT(Rounds(state, 1), ElementsAre(0, 1, 0));
}

// 0.8 * 20 / 20 is less than 0.8 * 2 / 1.
TEST(GradientSchedulerTest, WhatHasConvergedGetsNoMore) {
  const std::vector<double> flat(20, 20.0);
  EXPECT_THAT(Rounds(StateOf({{flat}, {{2}}}), 1), ElementsAre(0, 1));
  EXPECT_THAT(Rounds(StateOf({{flat}, {{20}}}), 19), ElementsAre(0, 19));
}

// Both have 1e9 operations of the same kind. One takes 10 s, and the other
// says that twice 1 s can be had.
TEST(GradientSchedulerTest, SimilarOnesSayWhatCanBeHad) {
  const OneTask slow = {std::vector<double>(8, 10.0), 1, 1'000'000'000, "t"};
  OneTask fast = {std::vector<double>(8, 1.0), 1, 1'000'000'000, "t"};
  const OneTask other = {std::vector<double>(8, 40.0), 1};
  // 0.8 * (2 - 10) against 0.8 * -40 / 8.
  EXPECT_EQ(Next({slow, fast, other}), 0u);
  fast.tag = "u";
  EXPECT_EQ(Next({slow, fast, other}), 2u);
  fast.tag = "";
  OneTask untagged = slow;
  untagged.tag = "";
  EXPECT_EQ(Next({untagged, fast, other}), 2u);
}

// More than five rounds more than any other, and still less than half as fast.
TEST(GradientSchedulerTest, WhoeverStaysSlowIsNotSimilar) {
  const std::vector<OneTask> slots = {
      {std::vector<double>(6, 10.0), 1, 1'000'000'000, "t"},
      {std::vector<double>(3, 1.0), 1, 1'000'000'000, "t"},
      {std::vector<double>(8, 40.0), 1}};
  TuningState state = StateOf(slots);
  EXPECT_THAT(Rounds(state, 3), ElementsAre(3, 0, 0));
  EXPECT_THAT(Rounds(state, 4), ElementsAre(3, 0, 1));
}

TEST(GradientSchedulerTest, NobodyStarves) {
  const TuningState state = StateOf({{{100}}, {{1}}, {{10}}});
  // In proportion to what they take, as g / t becomes the same for all.
  EXPECT_THAT(Rounds(state, 330), ElementsAre(299, 2, 29));
}

// Half of half of the turns, until both competitors have had 24 trials; those
// of the one that does not succeed count eight times.
TEST(GradientSchedulerTest, TheFairChanceComesSoonEnough) {
  TuningState state = StateOf({{{100}}, {{1e-6}}});
  EXPECT_THAT(Rounds(state, 90, {}), ElementsAre(90, 0));
  state.tasks.push_back({.uses = {{.slot = 1}}});
  EXPECT_THAT(Rounds(state, 6), ElementsAre(6, 0, 0));
  EXPECT_THAT(Rounds(state, 6, {}), ElementsAre(5, 0, 1));
  EXPECT_THAT(Rounds(state, 90, {}), ElementsAre(71, 16, 3));
}

// Both have 1e9 operations. At 0.5 GFLOP/s the second could gain 2 s more of
// its 4; the first, which is heavier, has but 0.4 to gain.
TEST(GradientSchedulerTest, NothingIsFasterThanThePeak) {
  const std::vector<OneTask> slots = {{{2.4}, /*weight=*/3, 1'000'000'000},
                                      {{4}, /*weight=*/1, 1'000'000'000}};
  EXPECT_EQ(Next(slots), 0u);
  EXPECT_EQ(Next(slots, {.peak_flops_per_second = 0.5e9, .fair_share = 0}), 1u);
  // A tenth is always thought possible, whatever the peak: 3 * 0.24 against
  // 0.4.
  EXPECT_EQ(Next(slots, {.peak_flops_per_second = 1, .fair_share = 0}), 0u);
}

// The first slot is at 91 % of the peak and may gain 0.11 s, the other 0.3 s.
// While somebody in it who computes less has had no fair chance, the first may
// get down to 0.4 s: by 0.35 s in each of the two rounds that it had. It is
// that one's turn then.
TEST(GradientSchedulerTest, WhoTakesFewerOperationsMayGetDownToLess) {
  const GradientOptions options = {.peak_flops_per_second = 1e9,
                                   .fair_share = 0};
  TuningState state =
      StateOf({{{1.1}, /*weight=*/1, 1'000'000'000}, {{2}, 1, 1'700'000'000}});
  EXPECT_THAT(Rounds(state, 1, options), ElementsAre(0, 1));
  state.tasks.push_back({.uses = {{.slot = 0}}, .flops = 400'000'000});
  AddRound(state, 2, 1.4);
  EXPECT_THAT(Rounds(state, 1, options), ElementsAre(0, 0, 1));
  AddRound(state, 2, 1.4);
  AddRound(state, 2, 1.4);
  EXPECT_THAT(Rounds(state, 1, options), ElementsAre(0, 1, 0));
}

// At the peak the second takes a second, and no less than 0.9 s in truth.
TEST(GradientSchedulerTest, WhoCannotBeTheFastestHasNoTurns) {
  const GradientOptions options = {.peak_flops_per_second = 1e9};
  TuningState state = StateOf({{{0.91}, /*weight=*/1, 400'000'000}});
  state.tasks.push_back({.uses = {{.slot = 0}}, .flops = 1'000'000'000});
  EXPECT_THAT(Rounds(state, 4, options), ElementsAre(3, 1));
  state.tasks[0].best_seconds = 0.89;
  EXPECT_THAT(Rounds(state, 4, options), ElementsAre(4, 0));
  // In another slot it may be the only one.
  state.tasks[1].uses.push_back({.slot = 7});
  EXPECT_THAT(Rounds(state, 4, options), ElementsAre(3, 1));
}

TEST(GradientSchedulerTest, WhatFailsHasTheTurnsOfAll) {
  TuningState state = StateOf({{{kNone}}, {{8}}, {{8}}});
  std::vector<int> rounds = Rounds(state, 30);
  EXPECT_EQ(rounds[0], 10);
  state = StateOf({{{kNone}}, {{kNone}}});
  EXPECT_THAT(Rounds(state, 4), ElementsAre(2, 2));
}

TEST(GradientSchedulerTest, ExhaustedOnesLeaveTheirRoundsToTheOthers) {
  TuningState state = StateOf({{{100}}, {{1}}, {{2}}});
  state.tasks[0].exhausted = true;
  EXPECT_EQ(GradientScheduler().Next(state), 2u);
  for (TaskState& task : state.tasks) task.exhausted = true;
  EXPECT_EQ(GradientScheduler().Next(state), std::nullopt);
}

TEST(GradientSchedulerTest, EqualOnesTakeTurns) {
  const TuningState state = StateOf({{{3}}, {{3}}, {{3}}});
  EXPECT_THAT(Rounds(state, 12), ElementsAre(4, 4, 4));
}

// The slot's time is the fastest one's, whoever has the round.
TEST(GradientSchedulerTest, CompetitorsAreOneSlot) {
  TuningState state;
  state.tasks = {{.uses = {{.slot = 0}}},
                 {.uses = {{.slot = 0}}},
                 {.uses = {{.slot = 1}}}};
  AddRound(state, 0, 9.0);
  AddRound(state, 1, 3.0);
  AddRound(state, 2, 2.0);
  // 3 / 2 is less than 2 / 1, but more than 2 / 2.
  GradientScheduler scheduler({.fair_share = 0});
  EXPECT_EQ(scheduler.Next(state), 2u);
  AddRound(state, 2, 2.0);
  EXPECT_EQ(scheduler.Next(state), 1u);
  // All have their fair chance; then the one that is three times slower has no
  // more.
  for (int i = 0; i < 40; ++i) {
    const size_t next = scheduler.Next(state).value();
    AddRound(state, next, state.tasks[next].best_seconds);
  }
  EXPECT_EQ(state.tasks[0].trials, 24);
  EXPECT_GT(state.tasks[1].trials, 24);
}

TEST(GradientSchedulerTest, PatienceEnds) {
  TuningState state = StateOf({{{9, 8, 8}}, {{3, 2, 1}}});
  const GradientOptions options = {.fair_share = 0, .patience = 2 * kRound + 1};
  EXPECT_EQ(GradientScheduler(options).Next(state), 0u);
  AddRound(state, 0, 8);
  EXPECT_EQ(GradientScheduler(options).Next(state), 1u);
  for (int i = 0; i < 2; ++i) AddRound(state, 1, 1);
  EXPECT_EQ(GradientScheduler(options).Next(state), std::nullopt);
}

// Two networks: the first is fast enough.
TEST(GradientSchedulerTest, TheObjectiveDecides) {
  std::vector<OneTask> slots = {{{8}}, {{4}, 1, 0, "", /*network=*/1}};
  const TuningState state = StateOf(slots);
  EXPECT_EQ(GradientScheduler().Next(state), 0u);
  GradientScheduler limited(
      {}, std::make_unique<TotalTimeAboveLimits>(std::vector<double>{10, 2}));
  EXPECT_EQ(limited.Next(state), 1u);
  // Of two networks, 9 s and 4 s, a quarter of the smaller one is more than a
  // ninth of the other.
  slots = {{{8}}, {{1}}, {{4, 4}, 1, 0, "", /*network=*/1}};
  GradientScheduler mean({}, std::make_unique<GeometricMeanTime>());
  EXPECT_EQ(mean.Next(StateOf(slots)), 0u);
  slots = {{{8, 8, 8}}, {{1}}, {{4, 4}, 1, 0, "", /*network=*/1}};
  EXPECT_EQ(mean.Next(StateOf(slots)), 2u);
  EXPECT_EQ(Next(slots), 0u);
}

}  // namespace
}  // namespace pruner
