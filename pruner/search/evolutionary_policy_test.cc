#include "pruner/search/evolutionary_policy.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/search/gene_distance.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;

// Wants as many iterations of parallel loops as there may be.
double Iterations(const Program& program) {
  double iterations = 1;
  for (const ProgramLoop& loop : program.loops) {
    if (loop.kind == LoopKind::kParallel)
      iterations = std::max(iterations, static_cast<double>(loop.extent));
  }
  return iterations;
}

class ParallelDraft : public DraftModel {
 public:
  double Score(const Program& program, const TargetSpec&) const override {
    return Iterations(program);
  }
};

// The same, read off the columns: the logarithm of one more.
class ParallelModel : public CostModel {
 public:
  bool is_trained() const override { return trained; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override {
    ++asked;
    if (asked == fails_at) return absl::UnavailableError("it has ended");
    const std::vector<std::string>& names = ColumnNames(ColumnSet::kAll);
    const size_t column =
        std::find(names.begin(), names.end(), "parallel.product") -
        names.begin();
    std::vector<double> scores;
    for (int i = 0; i < programs.num_programs(); ++i) {
      double most = 0;
      const absl::Span<const float> rows = programs.rows(i);
      for (size_t at = column; at < rows.size(); at += names.size())
        most = std::max<double>(most, rows[at]);
      scores.push_back(most);
    }
    return scores;
  }
  absl::Status Learn(const FeatureRows&, absl::Span<const ProgramLabel>,
                     const IsUnwanted&) override {
    return absl::OkStatus();
  }

  bool is_elsewhere() const override { return elsewhere; }

  bool trained = true;
  bool elsewhere = false;
  int asked = 0;
  int fails_at = 0;
};

class EvolutionaryPolicyTest : public testing::Test {
 protected:
  std::unique_ptr<EvolutionaryPolicy> Make(
      const EvolutionaryParameters& parameters, int64_t task_trials = 0) {
    const PolicyInputs inputs = {
        .context = {.dag = dag_, .target = target_},
        .draft = &draft_,
        .cost = &model_,
        .initialization = {.task_trials = task_trials}};
    return EvolutionaryPolicy::Create(inputs, parameters).value();
  }
  // Of the proposals, in order, without the default schedule.
  std::vector<double> IterationsOf(const std::vector<Proposal>& proposals) {
    std::vector<double> iterations;
    for (size_t i = 1; i < proposals.size(); ++i) {
      iterations.push_back(
          Iterations(*Resolve(dag_, proposals[i].schedule, target_)));
    }
    return iterations;
  }
  std::vector<double> FirstRound(const EvolutionaryParameters& parameters) {
    Rng rng(1);
    return IterationsOf(Make(parameters)->Propose(16, rng).value());
  }
  static double Mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
  const ParallelDraft draft_;
  ParallelModel model_;
};

// Enough for several batches of a model elsewhere.
constexpr EvolutionaryParameters kManyCandidates = {
    .evolution = {.population = 256}, .random_candidates = 512};

TEST_F(EvolutionaryPolicyTest, AsksAModelElsewhereMoreOftenAndDoesTheSame) {
  const std::vector<double> at_once = FirstRound(kManyCandidates);
  const int asked_at_once = std::exchange(model_.asked, 0);
  model_.elsewhere = true;
  EXPECT_EQ(FirstRound(kManyCandidates), at_once);
  EXPECT_GT(model_.asked, asked_at_once);
}

TEST_F(EvolutionaryPolicyTest, ModelElsewhereMayEndWhileCandidatesAreMade) {
  model_.elsewhere = true;
  model_.fails_at = 2;
  const auto policy = Make(kManyCandidates);
  Rng rng(1);
  EXPECT_THAT(policy->Propose(16, rng),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(EvolutionaryPolicyTest, ProposesWhatTheModelWants) {
  const std::vector<double> guided =
      FirstRound({.evolution = {.population = 64},
                  .random_candidates = 64,
                  .random_share = 0});
  EXPECT_TRUE(std::is_sorted(guided.rbegin(), guided.rend()));
  model_.trained = false;
  const std::vector<double> random =
      FirstRound({.evolution = {.population = 64}, .random_candidates = 64});
  EXPECT_GT(Mean(guided), 2 * Mean(random));
}

TEST_F(EvolutionaryPolicyTest, WithoutALearnedModelTheDraftModelChooses) {
  const EvolutionaryParameters parameters = {
      .evolution = {.population = 64},
      .random_candidates = 64,
      .random_share = 0,
      .draft = {.size = 16, .random_candidates = 64, .first_trials = 0}};
  const auto alone = EvolutionaryPolicy::Create(
      {.context = {.dag = dag_, .target = target_}, .draft = &draft_},
      parameters);
  ASSERT_TRUE(alone.ok()) << alone.status();
  Rng rng(1);
  const std::vector<double> guided =
      IterationsOf((*alone)->Propose(16, rng).value());
  EXPECT_TRUE(std::is_sorted(guided.rbegin(), guided.rend()));
  EXPECT_EQ(model_.asked, 0);
  EXPECT_FALSE(EvolutionaryPolicy::Create(
                   {.context = {.dag = dag_, .target = target_}}, parameters)
                   .ok());
}

TEST_F(EvolutionaryPolicyTest, ShortRoundsHaveTheirShareOfRandomOnes) {
  const auto policy = Make({.evolution = {.population = 64},
                            .random_candidates = 64,
                            .random_share = 0.25});
  Rng rng(1);
  policy->Propose(1, rng).value();
  int random = 0;
  for (int round = 0; round < 100; ++round) {
    const Proposal proposal = policy->Propose(1, rng).value()[0];
    random += Iterations(*Resolve(dag_, proposal.schedule, target_)) < 500;
  }
  EXPECT_GT(random, 10);
  EXPECT_LT(random, 50);
}

// Before anything was learned: of the draft the best, or mutations.
TEST_F(EvolutionaryPolicyTest, BeginsWithTheDraft) {
  model_.trained = false;
  const EvolutionaryParameters drafted = {
      .random_candidates = 64,
      .random_share = 0,
      .draft = {.size = 32,
                .random_candidates = 64,
                .evolution = {.population = 64}}};
  const std::vector<double> of_draft = FirstRound(drafted);
  EXPECT_TRUE(std::is_sorted(of_draft.rbegin(), of_draft.rend()));
  const std::vector<double> random = FirstRound({.random_candidates = 64});
  EXPECT_GT(Mean(of_draft), 2 * Mean(random));
}

// What the learned model knows is of other tasks: it waits. The best drafts are
// all alike: what is proposed of them goes on downwards.
TEST_F(EvolutionaryPolicyTest, FirstTrialsAreOfTheDraft) {
  const auto policy = Make({.evolution = {.population = 64},
                            .random_candidates = 64,
                            .random_share = 0,
                            .draft = {.size = 64,
                                      .random_candidates = 64,
                                      .evolution = {.population = 64},
                                      .rounds = kOneDraft,
                                      .first_trials = 5}});
  model_.asked = 0;
  for (int round = 0; round < 2; ++round) {
    Rng rng(round);
    const std::vector<Proposal> proposals = policy->Propose(5, rng).value();
    for (const Proposal& proposal : proposals)
      policy->Observe(proposal, {.seconds = {1}});
    EXPECT_EQ(model_.asked > 0, round > 0);
    if (round > 0) continue;
    const std::vector<double> drafted = IterationsOf(proposals);
    EXPECT_TRUE(std::is_sorted(drafted.rbegin(), drafted.rend()));
    EXPECT_LT(drafted.back(), drafted.front());
  }
}

// Whatever the model wants, if there are so many stages or trials.
TEST_F(EvolutionaryPolicyTest, AShareIsOfMutantsOfTheBest) {
  const auto near_best = [&](int least_stages, int64_t task_trials) {
    const auto policy = Make({.evolution = {.population = 64},
                              .random_candidates = 64,
                              .random_share = 0,
                              .near = {.share = 0.5,
                                       .least_stages = least_stages,
                                       .least_trials = 200,
                                       .parents = 1}},
                             task_trials);
    Rng rng(1);
    const std::vector<Proposal> first = policy->Propose(17, rng).value();
    const Proposal& best = first.back();  // for the model the worst
    for (const Proposal& proposal : first)
      policy->Observe(proposal, {.seconds = {proposal == best ? 1.0 : 2.0}});
    int near = 0;
    const std::vector<Proposal> next = policy->Propose(16, rng).value();
    for (const Proposal& proposal : next)
      near += GeneDistance(proposal, best) <= 6;
    return near;
  };
  EXPECT_GE(near_best(/*least_stages=*/1, /*task_trials=*/0), 3);
  EXPECT_EQ(near_best(/*least_stages=*/100, /*task_trials=*/199), 0);
  EXPECT_GE(near_best(/*least_stages=*/100, /*task_trials=*/200), 3);
}

// A task that has many trials has other proposals, as soon as the model guides.
TEST_F(EvolutionaryPolicyTest, ManyTrialsAreSpread) {
  const auto proposals = [&](int64_t task_trials) {
    const auto policy = Make({.evolution = {.population = 64},
                              .random_candidates = 64,
                              .random_share = 0,
                              .spread_trials = 200},
                             task_trials);
    Rng rng(1);
    return policy->Propose(17, rng).value();
  };
  EXPECT_EQ(proposals(199), proposals(0));
  EXPECT_NE(proposals(200), proposals(0));
}

// A draft serves for two rounds, and is the same for a search that goes on.
TEST_F(EvolutionaryPolicyTest, DraftsDependOnHowMuchIsKnown) {
  model_.trained = false;
  const EvolutionaryParameters drafted = {
      .random_candidates = 64,
      .random_share = 0,
      .draft = {.size = 64,
                .random_candidates = 64,
                .evolution = {.population = 64}}};
  const auto whole = Make(drafted);
  std::vector<Proposal> observed;
  for (int round = 0; round < 5; ++round) {
    Rng rng(round);
    const std::vector<Proposal> proposals = whole->Propose(4, rng).value();
    const auto resumed = Make(drafted);
    for (const Proposal& proposal : observed)
      resumed->Observe(proposal, {.seconds = {1}});
    Rng again(round);
    EXPECT_EQ(resumed->Propose(4, again).value(), proposals) << round;
    for (const Proposal& proposal : proposals) {
      whole->Observe(proposal, {.seconds = {1}});
      observed.push_back(proposal);
    }
  }
}

}  // namespace
}  // namespace pruner
