// Networks that were trained elsewhere, as //testdata:networks has their files.
// They are compiled in, because a program or plugin that was installed
// somewhere has no workspace to read them from.
#ifndef PRUNER_PACM_PACKAGED_NETWORKS_H_
#define PRUNER_PACM_PACKAGED_NETWORKS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

struct PackagedNetwork {
  absl::string_view name;   // of the file, without .network
  absl::string_view bytes;  // what SaveNetwork wrote
};

// In alphabetical order.
absl::Span<const PackagedNetwork> PackagedNetworks();

}  // namespace pruner

#endif  // PRUNER_PACM_PACKAGED_NETWORKS_H_
