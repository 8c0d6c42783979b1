#include "pruner/search/policy_table.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/search/search_policy_conformance.h"
#include "pruner/sketch/built_in_rules.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Every policy of the table, without and with a draft model.
std::vector<SearchPolicyUnderTest> AllPolicies() {
  static const auto* const kDraft = new RandomDraftModel(1);
  std::vector<SearchPolicyUnderTest> all;
  for (const PolicyEntry& policy : SearchPolicies()) {
    for (const DraftModel* draft : {static_cast<const DraftModel*>(nullptr),
                                    static_cast<const DraftModel*>(kDraft)}) {
      all.push_back({.name = std::string(policy.name) +
                             (draft == nullptr ? "" : "_draft"),
                     .make = [&policy, draft](const SketchContext& context) {
                       return policy.make({.context = context, .draft = draft});
                     }});
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
  for (const PolicyEntry& policy : SearchPolicies()) {
    const auto search =
        policy.make({.context = {.dag = dag, .target = target}, .rules = rules})
            .value();
    const std::vector<Proposal> proposals = search->Propose(8, rng).value();
    for (const Proposal& proposal : proposals) {
      const LoopState state = *Replay(dag, proposal.schedule);
      EXPECT_LE(state.stages[2].iterators.size(), 4u);
    }
  }
}

TEST(PolicyTableTest, FindsByName) {
  EXPECT_EQ((*FindPolicy(kDefaultPolicy))->name, "mutate");
  EXPECT_EQ((*FindPolicy("random"))->name, "random");
  EXPECT_EQ(FindPolicy("luck").status().message(),
            "there is no policy 'luck'; --policy is one of mutate, random");
}

}  // namespace
}  // namespace pruner
