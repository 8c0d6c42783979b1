#include "pruner/search/random_mutation_policy.h"

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/measure/measurer.h"
#include "pruner/program/resolve.h"
#include "pruner/search/gene_distance.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::Le;

class RandomMutationPolicyTest : public testing::Test {
 protected:
  std::unique_ptr<RandomMutationPolicy> Make(
      const RandomMutationParameters& parameters,
      const DraftModel* draft = nullptr) const {
    const PolicyInputs inputs = {.context = {.dag = dag_, .target = target_},
                                 .draft = draft};
    return RandomMutationPolicy::Create(inputs, parameters).value();
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
};

TEST_F(RandomMutationPolicyTest, MutatesTheBestOnceThereAreTrials) {
  const auto policy = Make({.random_trials = 12,
                            .random_share = 0,
                            .parents = 1,
                            .max_mutations = 1});
  Rng rng(1);
  const std::vector<Proposal> first = policy->Propose(12, rng).value();
  ASSERT_EQ(first.size(), 12u);
  for (size_t i = 0; i < first.size(); ++i) {
    policy->Observe(first[i], {.seconds = {i == 5 ? 1.0 : 2.0}});
  }
  const std::vector<Proposal> next = policy->Propose(20, rng).value();
  EXPECT_EQ(next.size(), 20u);
  for (const Proposal& proposal : next) {
    // A tile has three lengths, and a factor may move between two tiles.
    EXPECT_THAT(GeneDistance(proposal, first[5]), AnyOf(Le(6u), Eq(1000u)));
  }
}

// The tiles of all stages but the padding belong together.
TEST_F(RandomMutationPolicyTest, ChildrenHaveTheTilesOfAParent) {
  const auto policy = Make({.random_share = 0, .crossover = 1});
  const auto tiles = [](const Schedule& schedule) {
    std::vector<TransformStep> splits;
    for (const TransformStep& step : schedule.steps) {
      if (std::holds_alternative<SplitStep>(step)) splits.push_back(step);
    }
    return splits;
  };
  Rng rng(1);
  const std::vector<Proposal> first = policy->Propose(40, rng).value();
  for (const Proposal& proposal : first)
    policy->Observe(proposal, {.seconds = {1}});
  const std::vector<Proposal> children = policy->Propose(3, rng).value();
  EXPECT_EQ(children.size(), 3u);
  for (const Proposal& child : children) {
    EXPECT_TRUE(
        std::any_of(first.begin(), first.end(), [&](const Proposal& parent) {
          return tiles(parent.schedule) == tiles(child.schedule);
        }));
  }
}

TEST_F(RandomMutationPolicyTest, TheFirstTrialsAreRandom) {
  const auto parameters = RandomMutationParameters{.random_share = 0};
  const auto a = Make(parameters), b = Make(parameters);
  // Only one of the two has something to mutate, and both draw the same.
  Rng rng_a(3), rng_b(3);
  const Proposal early = a->Propose(2, rng_a).value()[1];
  ASSERT_EQ(b->Propose(2, rng_b).value()[1], early);
  a->Observe(early, {.seconds = {1}});
  b->Observe(early, FailedResult(FailureKind::kCrash, ""));
  EXPECT_EQ(a->Propose(10, rng_a).value(), b->Propose(10, rng_b).value());
  EXPECT_NE(a->Propose(4, rng_a).value(), b->Propose(4, rng_b).value());
}

// A result of an older log has no genes: its schedule is not measured again,
// and is no parent. Neither is one whose genes make another schedule now.
TEST_F(RandomMutationPolicyTest, OnlyThoseWithGenesAreParents) {
  const auto parameters = RandomMutationParameters{
      .random_trials = 0, .random_share = 0, .parents = 1, .max_mutations = 1};
  Rng rng(1);
  const std::vector<Proposal> known = Make({})->Propose(3, rng).value();
  const Proposal& good = known[1];
  Proposal bare = good, other = good;
  bare.genes.clear();
  other.schedule = known[2].schedule;
  const auto nearest = [&](const Proposal& observed) {
    const auto policy = Make(parameters);
    policy->Observe(observed, {.seconds = {1}});
    Rng draws(2);
    size_t nearest = 1000;
    const std::vector<Proposal> proposals = policy->Propose(20, draws).value();
    for (const Proposal& proposal : proposals) {
      EXPECT_NE(proposal.schedule, observed.schedule);
      if (!proposal.genes.empty())
        nearest = std::min(nearest, GeneDistance(proposal, good));
    }
    return nearest;
  };
  EXPECT_LE(nearest(good), 2u);
  EXPECT_GT(nearest(bare), 3u);
  EXPECT_GT(nearest(other), 3u);
}

TEST_F(RandomMutationPolicyTest, SamplesAsAsked) {
  const PolicyInputs inputs = {.context = {.dag = dag_, .target = target_},
                               .sampling = Sampling::kAnsor};
  const auto ansor = RandomMutationPolicy::Create(inputs, {}).value();
  const auto ours = Make({});
  Rng rng_a(1), rng_b(1);
  EXPECT_NE(ansor->Propose(100, rng_a).value(),
            ours->Propose(100, rng_b).value());
}

// Likes schedules that compute much at once.
class FewLoopsModel : public DraftModel {
 public:
  double Score(const Program& program, const TargetSpec&) const override {
    return -static_cast<double>(program.loops.size());
  }
};

TEST_F(RandomMutationPolicyTest, TheDraftModelPicks) {
  const FewLoopsModel draft;
  const auto mean_score = [&](const std::vector<Proposal>& proposals) {
    double sum = 0;
    for (const Proposal& proposal : proposals) {
      sum += draft.Score(*Resolve(dag_, proposal.schedule, target_), target_);
    }
    return sum / static_cast<double>(proposals.size());
  };
  const auto with = Make({.oversampling = 8}, &draft), without = Make({});
  Rng rng_with(1), rng_without(1);
  std::vector<Proposal> picked = with->Propose(9, rng_with).value();
  ASSERT_EQ(picked.size(), 9u);
  picked.erase(picked.begin());  // the default schedule
  EXPECT_GT(mean_score(picked),
            mean_score(without->Propose(9, rng_without).value()) + 1);
  for (size_t i = 1; i < picked.size(); ++i) {
    EXPECT_GE(mean_score({picked[i - 1]}), mean_score({picked[i]}));
  }
}

TEST_F(RandomMutationPolicyTest, MutationFindsFasterSchedulesThanChance) {
  const Workload workload("conv", "", dag_);
  const auto best_after_search = [&](double random_share, uint64_t seed) {
    const auto policy = Make({.random_share = random_share});
    FakeMeasurer measurer;
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
      Rng rng = Rng(seed).Fork(round);
      const std::vector<Proposal> proposals = policy->Propose(8, rng).value();
      std::vector<Schedule> schedules;
      for (const Proposal& proposal : proposals)
        schedules.push_back(proposal.schedule);
      EXPECT_TRUE(measurer
                      .Measure(workload, MeasurePolicy::kWarm, schedules,
                               [&](size_t i, const MeasureResult& result) {
                                 policy->Observe(proposals[i], result);
                                 best = std::min(best, Cost(result));
                                 return true;
                               },
                               {})
                      .ok());
    }
    return best;
  };
  int better = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    better += best_after_search(0.25, seed) < best_after_search(1, seed);
  }
  EXPECT_GE(better, 4);
}

}  // namespace
}  // namespace pruner
