// What every SearchPolicy must do, as a parameterized test suite: an
// implementation's test instantiates SearchPolicyConformanceTest with a
// factory.
#ifndef PRUNER_SEARCH_SEARCH_POLICY_CONFORMANCE_H_
#define PRUNER_SEARCH_SEARCH_POLICY_CONFORMANCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/measure/measurer.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/sample_targets.h"

namespace pruner {

struct SearchPolicyUnderTest {
  std::string name;
  // Adds models to the inputs. What they refer to outlives the policy.
  std::function<absl::StatusOr<std::unique_ptr<SearchPolicy>>(PolicyInputs)>
      make;
};

class SearchPolicyConformanceTest
    : public testing::TestWithParam<SearchPolicyUnderTest> {
 protected:
  std::unique_ptr<SearchPolicy> Make(
      const ComputeDag& dag, const std::vector<Proposal>& first = {}) const {
    auto policy = GetParam().make(
        {.context = {.dag = dag, .target = target_}, .first = first});
    EXPECT_TRUE(policy.ok()) << policy.status();
    return *std::move(policy);
  }

  static std::vector<Proposal> Propose(SearchPolicy& policy, int n, Rng& rng) {
    auto proposals = policy.Propose(n, rng);
    EXPECT_TRUE(proposals.ok()) << proposals.status();
    return proposals.ok() ? *std::move(proposals) : std::vector<Proposal>();
  }

  static std::vector<Schedule> SchedulesOf(
      const std::vector<Proposal>& proposals) {
    std::vector<Schedule> schedules;
    for (const Proposal& proposal : proposals)
      schedules.push_back(proposal.schedule);
    return schedules;
  }

  // The proposals of `rounds` rounds of 8, measured with a share of failures.
  static std::vector<Proposal> Search(const ComputeDag& dag,
                                      SearchPolicy& policy, uint64_t seed,
                                      int rounds) {
    const Workload workload("test", "", dag);
    FakeMeasurer measurer({.failure_rate = 0.25});
    std::vector<Proposal> all;
    for (int round = 0; round < rounds; ++round) {
      Rng rng = Rng(seed).Fork(round);
      const std::vector<Proposal> proposals = Propose(policy, 8, rng);
      const absl::Status status = measurer.Measure(
          workload, MeasurePolicy::kWarm, SchedulesOf(proposals),
          [&](size_t i, const MeasureResult& result) {
            policy.Observe(proposals[i], result);
            return true;
          },
          {});
      EXPECT_TRUE(status.ok()) << status;
      all.insert(all.end(), proposals.begin(), proposals.end());
    }
    return all;
  }

  static std::set<std::string> Texts(const std::vector<Proposal>& proposals) {
    std::set<std::string> texts;
    for (const Proposal& proposal : proposals) {
      texts.insert(PrintSchedule(proposal.schedule));
    }
    return texts;
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag conv_ = ConvBiasReluDag({});
};

TEST_P(SearchPolicyConformanceTest, TheDefaultScheduleIsFirst) {
  const std::unique_ptr<SearchPolicy> policy = Make(conv_);
  Rng rng(1);
  const std::vector<Proposal> proposals = Propose(*policy, 4, rng);
  ASSERT_EQ(proposals.size(), 4u);
  EXPECT_EQ(proposals[0].schedule, policy->DefaultSchedule());

  const std::unique_ptr<SearchPolicy> resumed = Make(conv_);
  resumed->Observe({.schedule = policy->DefaultSchedule()}, {.seconds = {1}});
  for (const Proposal& proposal : Propose(*resumed, 4, rng)) {
    EXPECT_NE(proposal.schedule, policy->DefaultSchedule());
  }
}

TEST_P(SearchPolicyConformanceTest, WhatItIsToBeginWithIsNextAndOnlyOnce) {
  const std::vector<Proposal> found = Search(conv_, *Make(conv_), 7, 1);
  ASSERT_EQ(found.size(), 8u);
  // The default schedule again, and one that has no genes.
  std::vector<Proposal> first(found.begin(), found.begin() + 4);
  first[2].genes = "";
  const std::unique_ptr<SearchPolicy> policy = Make(conv_, first);
  Rng rng(1);
  EXPECT_EQ(Propose(*policy, 2, rng),
            std::vector<Proposal>(first.begin(), first.begin() + 2));
  std::vector<Proposal> all = Propose(*policy, 3, rng);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], first[2]);
  EXPECT_EQ(all[1], first[3]);
  all.insert(all.end(), first.begin(), first.begin() + 2);
  for (const Proposal& proposal : Search(conv_, *policy, 1, 3))
    all.push_back(proposal);
  EXPECT_EQ(Texts(all).size(), all.size());

  const std::unique_ptr<SearchPolicy> resumed = Make(conv_, first);
  for (const Proposal& proposal : first)
    resumed->Observe(proposal, {.seconds = {1}});
  for (const std::string& text : Texts(Search(conv_, *resumed, 1, 3)))
    EXPECT_FALSE(Texts(first).contains(text));
}

TEST_P(SearchPolicyConformanceTest, ProposalsReplayAndNeverRepeat) {
  const std::unique_ptr<SearchPolicy> policy = Make(conv_);
  const std::vector<Proposal> all = Search(conv_, *policy, 1, 10);
  EXPECT_EQ(all.size(), 80u);
  EXPECT_EQ(Texts(all).size(), all.size());
  for (const Proposal& proposal : all) {
    EXPECT_TRUE(Replay(conv_, proposal.schedule).ok());
  }
}

TEST_P(SearchPolicyConformanceTest, SameSeedSameProposals) {
  const std::unique_ptr<SearchPolicy> a = Make(conv_), b = Make(conv_),
                                      c = Make(conv_);
  const std::vector<Proposal> proposals = Search(conv_, *a, 1, 5);
  EXPECT_EQ(Search(conv_, *b, 1, 5), proposals);
  EXPECT_NE(Search(conv_, *c, 2, 5), proposals);
  EXPECT_EQ(a->rejections(), b->rejections());
}

TEST_P(SearchPolicyConformanceTest, WhatWasObservedIsNotProposed) {
  const std::unique_ptr<SearchPolicy> first = Make(conv_);
  const std::vector<Proposal> measured = Search(conv_, *first, 1, 3);
  const std::set<std::string> before = Texts(measured);
  // Whether the genes are known, are not, or are of something else.
  for (const char* genes : {"", "none", "skip luck #01234567 1 2"}) {
    const std::unique_ptr<SearchPolicy> resumed = Make(conv_);
    for (Proposal proposal : measured) {
      if (genes[0] != '\0') proposal.genes = genes;
      resumed->Observe(proposal, {.seconds = {1}});
    }
    for (const std::string& text : Texts(Search(conv_, *resumed, 1, 3))) {
      EXPECT_FALSE(before.contains(text));
    }
  }
}

// A search that goes on with what was observed does as if it had not ended.
TEST_P(SearchPolicyConformanceTest, GoesOnWhereItEnded) {
  const std::unique_ptr<SearchPolicy> one = Make(conv_);
  const std::vector<Proposal> measured = Search(conv_, *one, 1, 4);
  const std::unique_ptr<SearchPolicy> first = Make(conv_);
  const std::unique_ptr<SearchPolicy> second = Make(conv_);
  for (const Proposal& proposal : Search(conv_, *first, 1, 4))
    second->Observe(proposal, {.seconds = {1}});
  const std::unique_ptr<SearchPolicy> third = Make(conv_);
  for (const Proposal& proposal : measured)
    third->Observe(proposal, {.seconds = {1}});
  Rng rng_a(3), rng_b(3);
  EXPECT_EQ(Propose(*second, 16, rng_a), Propose(*third, 16, rng_b));
}

TEST_P(SearchPolicyConformanceTest, SmallSpacesAreExhausted) {
  // A single product: nothing to divide, a handful of schedules.
  const ComputeDag dag = MatmulReluDag(1, 1, 1);
  const std::unique_ptr<SearchPolicy> policy = Make(dag);
  const std::vector<Proposal> all = Search(dag, *policy, 1, 100);
  EXPECT_GE(all.size(), 1u);
  EXPECT_LT(all.size(), 800u);
  EXPECT_EQ(Texts(all).size(), all.size());
  Rng rng(2);
  EXPECT_TRUE(Propose(*policy, 8, rng).empty());
  EXPECT_GT(policy->rejections().at(kRepeated), 0);
}

TEST_P(SearchPolicyConformanceTest, StrangeAndFailedSchedulesDoNoHarm) {
  const std::unique_ptr<SearchPolicy> policy = Make(conv_);
  const MeasureResult fast = {.seconds = {1e-9}};
  policy->Observe({}, fast);
  policy->Observe({.schedule = {.steps = {ComputeRootStep{.stage = 1000}}}},
                  fast);
  policy->Observe(
      {.schedule = {.steps = {SplitStep{.stage = 4, .lengths = {0}}}}}, fast);
  policy->Observe({.schedule = policy->DefaultSchedule()},
                  FailedResult(FailureKind::kCrash, "crashed"));
  EXPECT_EQ(Search(conv_, *policy, 1, 5).size(), 40u);
}

}  // namespace pruner

#endif  // PRUNER_SEARCH_SEARCH_POLICY_CONFORMANCE_H_
