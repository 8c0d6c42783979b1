// Checkpoints of PaCM that Pruner's authors published: what torch.save wrote of
// a network's state_dict().
#ifndef PRUNER_PACM_PUBLISHED_CHECKPOINT_H_
#define PRUNER_PACM_PUBLISHED_CHECKPOINT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {

// Whether a file that begins so may be one: a zip archive, or a pickle.
bool IsPublishedCheckpoint(absl::string_view bytes);

// The network, which knows no scales yet: they are not in the file. Nothing of
// the file is run: it is read as tensors by name, and refused where it has
// anything else. Errors name `path`: a raw pickle; an archive that is damaged,
// or has other tensors than PaCM.
absl::StatusOr<TrainedNetwork> ReadPublishedCheckpoint(
    const std::string& path, const std::string& bytes);

}  // namespace pruner

#endif  // PRUNER_PACM_PUBLISHED_CHECKPOINT_H_
