// Files that a network can begin with, whoever wrote them.
#ifndef PRUNER_PACM_PRETRAINED_NETWORK_H_
#define PRUNER_PACM_PRETRAINED_NETWORK_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {

// What SaveNetwork wrote, or a checkpoint that Pruner's authors published,
// which knows no scales. Errors: those of LoadNetwork and of
// ReadPublishedCheckpoint; a published one is of other columns than
// `features`.
absl::StatusOr<TrainedNetwork> LoadPretrained(const std::string& path,
                                              absl::string_view features);

}  // namespace pruner

#endif  // PRUNER_PACM_PRETRAINED_NETWORK_H_
