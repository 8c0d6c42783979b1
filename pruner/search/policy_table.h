// The search policies by name, as --policy takes them.
#ifndef PRUNER_SEARCH_POLICY_TABLE_H_
#define PRUNER_SEARCH_POLICY_TABLE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"

namespace pruner {

struct PolicyEntry {
  absl::string_view name;
  absl::string_view description;  // for --help
  absl::StatusOr<std::unique_ptr<SearchPolicy>> (*make)(const PolicyInputs&);
  bool needs_cost_model = false;   // PolicyInputs::cost
  bool needs_draft_model = false;  // PolicyInputs::draft
  // Which cost model it has if nothing is said (pruner/tune/cost_models.h).
  absl::string_view usual_cost_model = {};
  bool has_first_batch = false;  // PolicyInputs::initialization
};

inline constexpr char kDefaultPolicy[] = "pruner";

absl::Span<const PolicyEntry> SearchPolicies();

// InvalidArgument, with the names there are, if there is no such policy.
absl::StatusOr<const PolicyEntry*> FindPolicy(absl::string_view name);

}  // namespace pruner

#endif  // PRUNER_SEARCH_POLICY_TABLE_H_
