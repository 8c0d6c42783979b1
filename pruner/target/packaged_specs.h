// The files of pruner/target/specs. They are compiled in, because a program or
// plugin that was installed somewhere has no workspace to read them from.

#ifndef PRUNER_TARGET_PACKAGED_SPECS_H_
#define PRUNER_TARGET_PACKAGED_SPECS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

struct PackagedSpec {
  absl::string_view name;  // of the file, without .txtpb
  absl::string_view text;
};

// In alphabetical order.
absl::Span<const PackagedSpec> PackagedSpecs();

}  // namespace pruner

#endif  // PRUNER_TARGET_PACKAGED_SPECS_H_
