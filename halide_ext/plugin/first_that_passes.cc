#include "halide_ext/plugin/first_that_passes.h"

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

absl::StatusOr<Schedule> FirstThatPasses(
    absl::Span<const Schedule> candidates,
    const std::function<absl::Status(const Schedule&)>& check,
    const std::function<void(absl::string_view)>& say) {
  absl::Status first;
  for (const Schedule& candidate : candidates) {
    absl::Status status = check(candidate);
    if (status.ok()) return candidate;
    const bool is_last = &candidate == &candidates.back();
    say(absl::StrCat(status.message(),
                     is_last ? "\n" : "; the next fastest is tried\n"));
    first.Update(status);
  }
  return first;
}

}  // namespace pruner
