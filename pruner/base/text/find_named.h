// What a flag names, among the entries of a table.
#ifndef PRUNER_BASE_TEXT_FIND_NAMED_H_
#define PRUNER_BASE_TEXT_FIND_NAMED_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

// The entry whose `name` it is. InvalidArgument, with the names there are, if
// there is none: `what` is what the entries are, and the name of the flag.
template <typename Entry>
absl::StatusOr<const Entry*> FindNamed(absl::Span<const Entry> entries,
                                       absl::string_view what,
                                       absl::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no ", what, " '", name, "'; --", what, " is one of ",
      absl::StrJoin(entries, ", ", [](std::string* out, const Entry& entry) {
        out->append(entry.name);
      })));
}

// What the entries are, as a flag's help has it: "pruner, first by …; ansor, by
// …". Each has a name and a description, which may be empty.
template <typename Entry>
std::string DescribeNamed(absl::Span<const Entry> entries) {
  return absl::StrJoin(entries, "; ", [](std::string* out, const Entry& entry) {
    absl::StrAppend(out, entry.name, entry.description.empty() ? "" : ", ",
                    entry.description);
  });
}

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_FIND_NAMED_H_
