#include "pruner/search/initialization.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/cost/random_cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/search/evolution.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Every so manieth candidate is valid, by its hash: as a space of the paper's.
bool IsValid(const Candidate& candidate, uint64_t one_in) {
  return CandidateHash(candidate) % one_in == 0;
}

class HashOracle : public ValidityOracle {
 public:
  HashOracle(uint64_t one_in, absl::Status status,
             std::vector<Candidate>& asked)
      : one_in_(one_in), status_(std::move(status)), asked_(asked) {}
  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override {
    if (!status_.ok()) return status_;
    asked_.insert(asked_.end(), candidates.begin(), candidates.end());
    std::vector<bool> valid;
    for (const Candidate& candidate : candidates)
      valid.push_back(IsValid(candidate, one_in_));
    return valid;
  }

 private:
  const uint64_t one_in_;
  const absl::Status status_;
  std::vector<Candidate>& asked_;
};

class InitializationTest : public testing::TestWithParam<std::string> {
 protected:
  // A policy, and what it finds of a task of which one candidate in so many is
  // valid.
  struct Search {
    std::unique_ptr<SearchPolicy> policy;
    std::unique_ptr<ScheduleSpace> space;
    std::vector<Proposal> proposals = {};
    std::vector<MeasureResult> results = {};
  };

  std::unique_ptr<SearchPolicy> Make(Init init, uint64_t seed = 1) {
    const PolicyEntry& entry = **FindPolicy(GetParam());
    PolicyInputs inputs = {
        .context = {.dag = dag_, .target = target_},
        .draft = &draft_,
        .cost = &cost_,
        .seed = seed,
        .initialization = {
            .init = init,
            .make_oracle = [this](ScheduleSpace&)
                -> absl::StatusOr<std::unique_ptr<ValidityOracle>> {
              if (!made_.ok()) return made_;
              return std::make_unique<HashOracle>(one_in_, answer_, asked_);
            },
            .task_trials = 14000,
            .say =
                [this](absl::string_view what) { said_.emplace_back(what); }}};
    return entry.make(inputs).value();
  }
  std::unique_ptr<ScheduleSpace> Space() {
    return MakeSpace({.context = {.dag = dag_, .target = target_}}).value();
  }
  Search Begin(Init init, uint64_t seed = 1) {
    return {.policy = Make(init, seed), .space = Space()};
  }

  // What measuring it gives.
  MeasureResult ResultOf(const Proposal& proposal, ScheduleSpace& space) const {
    if (proposal.genes.empty()) return {.seconds = {1}};
    if (!IsValid(*space.Parse(proposal.genes), one_in_))
      return FailedResult(refusal_, "too large");
    return {.seconds = {1e-3}};
  }
  void Round(Search& search, int n) {
    Rng rng(7 + search.proposals.size());
    const auto proposals = search.policy->Propose(n, rng);
    ASSERT_THAT(proposals, IsOk());
    for (const Proposal& proposal : *proposals) {
      search.proposals.push_back(proposal);
      search.results.push_back(ResultOf(proposal, *search.space));
      search.policy->Observe(proposal, search.results.back());
    }
  }
  // Of the proposals from this one on.
  static double ShareValid(const Search& search, size_t from) {
    const auto ok = std::count_if(
        search.results.begin() + static_cast<std::ptrdiff_t>(from),
        search.results.end(),
        [](const MeasureResult& result) { return result.ok(); });
    return static_cast<double>(ok) /
           static_cast<double>(search.results.size() - from);
  }

  const ComputeDag dag_ = ConvBiasReluDag({});
  const TargetSpec target_ = SampleCpuTarget();
  const RandomDraftModel draft_ = RandomDraftModel(1);
  RandomCostModel cost_ = RandomCostModel(1);
  uint64_t one_in_ = 3;
  FailureKind refusal_ = FailureKind::kCompileError;
  absl::Status made_, answer_;
  std::vector<Candidate> asked_;
  std::vector<std::string> said_;
};

TEST_P(InitializationTest, BeginsWithWhatIsValid) {
  Search search = Begin(Init::kHardwareAware);
  Round(search, 4);
  EXPECT_EQ(search.proposals[0].schedule, search.policy->DefaultSchedule());
  EXPECT_GE(ShareValid(search, 1), 0.6);  // of one in three
  EXPECT_EQ(asked_.size(), 50);
  EXPECT_THAT(said_, ElementsAre(HasSubstr("candidates that were looked at "
                                           "are valid")));
  const size_t asked = asked_.size();
  Round(search, 8);
  EXPECT_EQ(asked_.size(), asked);
}

// Where what is drawn is valid nothing changes: not a proposal, not its order.
TEST_P(InitializationTest, AutoIsRandomWhereDrawsAreValid) {
  one_in_ = 1;
  Search automatic = Begin(Init::kAuto), random = Begin(Init::kRandom);
  for (int i = 0; i < 5; ++i) {
    Round(automatic, 8);
    Round(random, 8);
  }
  EXPECT_EQ(automatic.proposals, random.proposals);
  EXPECT_EQ(automatic.policy->rejections(), random.policy->rejections());
  EXPECT_THAT(asked_, IsEmpty());
  EXPECT_THAT(said_, IsEmpty());
}

TEST_P(InitializationTest, AutoLooksOnceMostDrawsAreRefused) {
  one_in_ = 5;
  Search automatic = Begin(Init::kAuto), random = Begin(Init::kRandom);
  Round(automatic, 9);
  Round(random, 9);
  EXPECT_EQ(automatic.proposals, random.proposals);
  EXPECT_THAT(asked_, IsEmpty());
  Round(automatic, 3);
  EXPECT_FALSE(asked_.empty());
  EXPECT_GE(ShareValid(automatic, 9), 0.6);
}

// A compiler cannot tell what only running tells.
TEST_P(InitializationTest, AutoDoesNotLookForWhatFailsWhenItRuns) {
  refusal_ = FailureKind::kRunTimeout;
  Search search = Begin(Init::kAuto);
  for (int i = 0; i < 3; ++i) Round(search, 8);
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_P(InitializationTest, WhatIsKnownToBeInvalidIsNotProposed) {
  one_in_ = uint64_t{1} << 40;
  Search search = Begin(Init::kHardwareAware);
  Round(search, 8);
  EXPECT_THAT(said_, ElementsAre(HasSubstr("none of ")));
  // All that was looked at.
  ScheduleSpace& space = *search.space;
  Initialization looking = {
      .init = Init::kHardwareAware,
      .make_oracle = [&](ScheduleSpace&)
          -> absl::StatusOr<std::unique_ptr<ValidityOracle>> {
        return std::make_unique<HashOracle>(one_in_, answer_, asked_);
      },
      .task_trials = 1000};
  FirstBatch batch(looking, space, kFirstDraw, /*seed=*/1);
  ASSERT_THAT(batch.Prepare(), IsOk());
  EXPECT_THAT(batch.candidates(), IsEmpty());
  for (int i = 0; i < 10; ++i) Round(search, 16);
  for (const Proposal& proposal : search.proposals) {
    if (proposal.genes.empty()) continue;
    EXPECT_FALSE(batch.IsKnownInvalid(*space.Parse(proposal.genes)));
  }
}

// One that goes on with the results of another does as that would have.
TEST_P(InitializationTest, SearchThatGoesOnHasTheSameBatch) {
  one_in_ = 5;
  for (const Init init : {Init::kAuto, Init::kHardwareAware}) {
    asked_.clear();
    Search whole = Begin(init);
    for (const int n : {9, 8, 8, 16}) Round(whole, n);
    EXPECT_FALSE(asked_.empty());
    for (const size_t known : {9, 17, 25}) {
      Search later = Begin(init);
      for (size_t i = 0; i < known; ++i) {
        later.policy->Observe(whole.proposals[i], whole.results[i]);
        later.proposals.push_back(whole.proposals[i]);
        later.results.push_back(whole.results[i]);
      }
      Round(later, known == 25 ? 16 : 8);
      for (size_t i = known; i < later.proposals.size(); ++i)
        EXPECT_EQ(later.proposals[i], whole.proposals[i]) << known << " " << i;
    }
  }
}

TEST_P(InitializationTest, TheBatchIsTheSeeds) {
  const auto first = [&](uint64_t seed) {
    Search search = Begin(Init::kHardwareAware, seed);
    Round(search, 4);
    return search.proposals;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

TEST_P(InitializationTest, WithoutAnOracleItBeginsAtRandom) {
  for (const bool later : {false, true}) {
    (later ? answer_ : made_) = absl::UnavailableError("no assembler");
    Search search = Begin(Init::kHardwareAware), random = Begin(Init::kRandom);
    Round(search, 8);
    Round(random, 8);
    EXPECT_EQ(search.proposals, random.proposals);
    ASSERT_EQ(said_.size(), 1);  // said once
    EXPECT_THAT(said_[0], HasSubstr("no assembler"));
    Round(search, 8);
    EXPECT_EQ(said_.size(), 1);
    said_.clear();
    made_ = answer_ = absl::OkStatus();
  }
}

TEST_P(InitializationTest, InterruptedItProposesNothing) {
  answer_ = absl::CancelledError("unwanted");
  const auto policy = Make(Init::kHardwareAware);
  Rng rng(1);
  EXPECT_THAT(policy->Propose(8, rng), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(said_, IsEmpty());
}

std::vector<std::string> PoliciesWithFirstBatch() {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : SearchPolicies()) {
    if (policy.has_first_batch) names.emplace_back(policy.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Policies, InitializationTest,
                         testing::ValuesIn(PoliciesWithFirstBatch()),
                         [](const auto& info) { return info.param; });

// It does not ask about what was measured.
TEST(FirstBatchTest, AutoLooksBesideWhatRan) {
  const ComputeDag dag = ConvBiasReluDag({});
  const TargetSpec target = SampleCpuTarget();
  const auto space =
      MakeSpace({.context = {.dag = dag, .target = target}}).value();
  std::vector<Candidate> asked;
  FirstBatch batch({.init = Init::kAuto,
                    .make_oracle = [&](ScheduleSpace&)
                        -> absl::StatusOr<std::unique_ptr<ValidityOracle>> {
                      return std::make_unique<HashOracle>(5, absl::OkStatus(),
                                                          asked);
                    },
                    .task_trials = 1000},
                   *space, kFirstDraw, /*seed=*/1);
  Rng rng(1);
  RejectionCounts rejections;
  const std::vector<Candidate> measured =
      SampleDistinct(*space, kFirstDraw, /*attempts=*/100, rng, rejections,
                     [](const Candidate&) { return absl::OkStatus(); })
          .value();
  for (const Candidate& candidate : measured) {
    EXPECT_THAT(batch.Prepare(), IsOkAndHolds(false));
    batch.Observe(candidate, candidate == measured[2]
                                 ? MeasureResult{.seconds = {1}}
                                 : FailedResult(FailureKind::kLowering, "no"));
  }
  EXPECT_THAT(batch.Prepare(), IsOkAndHolds(true));
  EXPECT_THAT(asked, SizeIs(3));
  const std::vector<Candidate> beside = Neighbours(*space, measured[2]).value();
  for (const Candidate& candidate : asked) {
    EXPECT_THAT(beside, Contains(candidate));
    EXPECT_THAT(measured, Not(Contains(candidate)));
  }
  EXPECT_THAT(batch.Prepare(), IsOkAndHolds(false));
}

TEST(InitTest, Names) {
  for (const InitEntry& entry : Inits())
    EXPECT_EQ(*ParseInit(entry.name), entry.init);
  EXPECT_THAT(std::string(ParseInit("luck").status().message()),
              HasSubstr("auto, hardware_aware, random"));
}

TEST(NumLooksTest, IsAHundredthOfTheTime) {
  EXPECT_EQ(NumLooks(Init::kAuto, 1000, 8), 3);
  EXPECT_EQ(NumLooks(Init::kAuto, 200, 8), 0);
  EXPECT_EQ(NumLooks(Init::kHardwareAware, 20, 8), 16);
  EXPECT_EQ(NumLooks(Init::kHardwareAware, 1000000, 8), 320);
}

}  // namespace
}  // namespace pruner
