#include "pruner/search/policy_table.h"

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/text/find_named.h"
#include "pruner/search/evolutionary_policy.h"
#include "pruner/search/random_mutation_policy.h"
#include "pruner/search/search_policy.h"

namespace pruner {
namespace {

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakeMutate(
    const PolicyInputs& inputs) {
  return RandomMutationPolicy::Create(inputs, {});
}

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakeRandom(
    const PolicyInputs& inputs) {
  return RandomMutationPolicy::Create(inputs, {.random_share = 1});
}

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakeAnsor(
    const PolicyInputs& inputs) {
  return EvolutionaryPolicy::Create(inputs, {});
}

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakePruner(
    const PolicyInputs& inputs) {
  return EvolutionaryPolicy::Create(inputs, kPruner);
}

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakePrunerPaper(
    const PolicyInputs& inputs) {
  return EvolutionaryPolicy::Create(inputs, kPrunerPaper);
}

constexpr PolicyEntry kPolicies[] = {
    {kDefaultPolicy,
     "draft, then verify: begins with what an analytic model drafts, goes on "
     "with evolution of small populations, guided by a learned model, of which "
     "one of those that look alike is proposed",
     MakePruner, /*needs_cost_model=*/true, /*needs_draft_model=*/true,
     /*usual_cost_model=*/"mlp"},
    {"ansor", "evolution guided by a learned model, with Ansor's numbers",
     MakeAnsor, /*needs_cost_model=*/true, /*needs_draft_model=*/false,
     /*usual_cost_model=*/"gbdt"},
    {"pruner_paper",
     "the same with the numbers of Pruner's authors: a draft every second "
     "round, among which a learned model chooses after one generation",
     MakePrunerPaper, /*needs_cost_model=*/true, /*needs_draft_model=*/true,
     /*usual_cost_model=*/"pacm"},
    {"mutate", "random schedules first, then mostly mutations of the best ones",
     MakeMutate},
    {"random", "random schedules only", MakeRandom},
};

}  // namespace

absl::Span<const PolicyEntry> SearchPolicies() { return kPolicies; }

absl::StatusOr<const PolicyEntry*> FindPolicy(absl::string_view name) {
  return FindNamed(SearchPolicies(), "policy", name);
}

}  // namespace pruner
