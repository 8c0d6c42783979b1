// The files of pruner/target/specs.
#ifndef PRUNER_TARGET_PACKAGED_SPECS_H_
#define PRUNER_TARGET_PACKAGED_SPECS_H_

#include "absl/types/span.h"
#include "pruner/base/packaged_file.h"

namespace pruner {

// In alphabetical order.
absl::Span<const PackagedFile> PackagedSpecs();

}  // namespace pruner

#endif  // PRUNER_TARGET_PACKAGED_SPECS_H_
