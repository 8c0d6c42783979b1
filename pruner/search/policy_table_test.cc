#include "pruner/search/policy_table.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/cost/random_cost_model.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/search/search_policy_conformance.h"
#include "pruner/sketch/built_in_rules.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Knows as little as the other one, and does not say so.
class BoldCostModel : public RandomCostModel {
 public:
  using RandomCostModel::RandomCostModel;
  bool is_trained() const override { return true; }
};

// Every policy of the table, without and with a draft model, with a learned
// model that has learned nothing and with one that has.
std::vector<SearchPolicyUnderTest> AllPolicies() {
  static const auto* const kDraft = new RandomDraftModel(1);
  static auto* const kUntrained = new RandomCostModel(1);
  static auto* const kTrained = new BoldCostModel(1);
  std::vector<SearchPolicyUnderTest> all;
  const auto add = [&](const PolicyEntry& policy, const char* suffix,
                       const DraftModel* draft, CostModel* cost) {
    all.push_back({.name = absl::StrCat(policy.name, suffix),
                   .make = [&policy, draft, cost](PolicyInputs inputs) {
                     inputs.draft = draft;
                     inputs.cost = cost;
                     return policy.make(inputs);
                   }});
  };
  for (const PolicyEntry& policy : SearchPolicies()) {
    if (policy.needs_cost_model) {
      const DraftModel* const draft =
          policy.needs_draft_model ? kDraft : nullptr;
      add(policy, "_untrained", draft, kUntrained);
      add(policy, "_trained", draft, kTrained);
    } else {
      add(policy, "", nullptr, nullptr);
      add(policy, "_draft", kDraft, nullptr);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, SearchPolicyConformanceTest,
                         testing::ValuesIn(AllPolicies()),
                         [](const auto& info) { return info.param.name; });

TEST(PolicyTableTest, SearchesTheSpaceOfTheRulesGiven) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const TargetSpec target = SampleCpuTarget();
  // Only where it is computed is open: the sketch has no tiles.
  const SketchRule* const rules[] = {&SkipRule()};
  Rng rng(1);
  BoldCostModel cost(1);
  const RandomDraftModel draft(1);
  for (const PolicyEntry& policy : SearchPolicies()) {
    const auto search = policy
                            .make({.context = {.dag = dag, .target = target},
                                   .rules = rules,
                                   .draft = &draft,
                                   .cost = &cost})
                            .value();
    const std::vector<Proposal> proposals = search->Propose(8, rng).value();
    for (const Proposal& proposal : proposals) {
      const LoopState state = *Replay(dag, proposal.schedule);
      EXPECT_LE(state.stages[2].iterators.size(), 4u);
    }
  }
}

TEST(PolicyTableTest, FindsByName) {
  EXPECT_EQ((*FindPolicy(kDefaultPolicy))->name, "pruner");
  EXPECT_EQ((*FindPolicy("random"))->name, "random");
  EXPECT_EQ(FindPolicy("luck").status().message(),
            "there is no policy 'luck'; --policy is one of pruner, ansor, "
            "pruner_paper, mutate, random, anneal");
}

TEST(PolicyTableTest, EvolutionNeedsAModel) {
  const ComputeDag dag = MatmulReluDag(8, 8, 8);
  const TargetSpec target = SampleCpuTarget();
  EXPECT_EQ((*FindPolicy("ansor"))
                ->make({.context = {.dag = dag, .target = target}})
                .status()
                .message(),
            "evolution needs a learned model to guide it");
  RandomCostModel cost(1);
  EXPECT_EQ(
      (*FindPolicy("pruner"))
          ->make({.context = {.dag = dag, .target = target}, .cost = &cost})
          .status()
          .message(),
      "drafts need a draft model");
}

}  // namespace
}  // namespace pruner
