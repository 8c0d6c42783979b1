#include "pruner/search/policy_table.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/search/search_policy_conformance.h"

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

TEST(PolicyTableTest, FindsByName) {
  EXPECT_EQ((*FindPolicy(kDefaultPolicy))->name, "mutate");
  EXPECT_EQ((*FindPolicy("random"))->name, "random");
  EXPECT_EQ(FindPolicy("luck").status().message(),
            "there is no policy 'luck'; --policy is one of mutate, random");
}

}  // namespace
}  // namespace pruner
