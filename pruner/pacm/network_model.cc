#include "pruner/pacm/network_model.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"

namespace pruner {
namespace {

struct AdaptionEntry {
  absl::string_view name;
  Adaption adaption;
};
constexpr AdaptionEntry kAdaptions[] = {{"moa", Adaption::kMomentum},
                                        {"finetune", Adaption::kFineTune},
                                        {"none", Adaption::kNone}};

}  // namespace

absl::string_view AdaptionName(Adaption adaption) {
  for (const AdaptionEntry& entry : kAdaptions) {
    if (entry.adaption == adaption) return entry.name;
  }
  return "";
}

absl::StatusOr<Adaption> ParseAdaption(absl::string_view name) {
  ASSIGN_OR_RETURN(const AdaptionEntry* entry,
                   FindNamed(absl::MakeConstSpan(kAdaptions), "adapt", name));
  return entry->adaption;
}

}  // namespace pruner
