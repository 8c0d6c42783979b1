// Networks that were trained elsewhere: the files of testdata/networks.
#ifndef PRUNER_PACM_PACKAGED_NETWORKS_H_
#define PRUNER_PACM_PACKAGED_NETWORKS_H_

#include "absl/types/span.h"
#include "pruner/base/packaged_file.h"

namespace pruner {

// In alphabetical order; their contents are what SaveNetwork wrote.
absl::Span<const PackagedFile> PackagedNetworks();

}  // namespace pruner

#endif  // PRUNER_PACM_PACKAGED_NETWORKS_H_
