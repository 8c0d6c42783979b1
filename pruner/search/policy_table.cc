#include "pruner/search/policy_table.h"

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/text/find_named.h"
#include "pruner/search/annealing_policy.h"
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

absl::StatusOr<std::unique_ptr<SearchPolicy>> MakeAnneal(
    const PolicyInputs& inputs) {
  return AnnealingPolicy::Create(inputs);
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
     "first by an analytic model, then by evolution that a learned one guides",
     MakePruner, /*needs_cost_model=*/true, /*needs_draft_model=*/true,
     /*usual_cost_model=*/"pacm", /*has_first_batch=*/true},
    {"ansor", "by evolution that a learned model guides, as Ansor has it",
     MakeAnsor, /*needs_cost_model=*/true, /*needs_draft_model=*/false,
     /*usual_cost_model=*/"gbdt", /*has_first_batch=*/true},
    {"pruner_paper",
     "by a learned model among what an analytic one drafts, as Pruner's "
     "authors have it",
     MakePrunerPaper, /*needs_cost_model=*/true, /*needs_draft_model=*/true,
     /*usual_cost_model=*/"pacm", /*has_first_batch=*/true},
    {"mutate", "by chance, then mostly mutations of the best ones", MakeMutate},
    {"random", "by chance", MakeRandom},
    {"anneal",
     "by annealing on trees that rank what was decided, as AutoTVM has it",
     MakeAnneal, /*needs_cost_model=*/false, /*needs_draft_model=*/false,
     /*usual_cost_model=*/{}, /*has_first_batch=*/true},
};

}  // namespace

absl::Span<const PolicyEntry> SearchPolicies() { return kPolicies; }

absl::StatusOr<const PolicyEntry*> FindPolicy(absl::string_view name) {
  return FindNamed(SearchPolicies(), "policy", name);
}

}  // namespace pruner
