// Files of trained networks.
#ifndef PRUNER_PACM_MODEL_FILE_H_
#define PRUNER_PACM_MODEL_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {

// Of the format; what an older one holds is not read.
inline constexpr int kNetworkFileVersion = 2;

// Writes all that a prediction depends on, atomically. `features` names what
// the columns are, with a version, as ColumnSetName does.
absl::Status SaveNetwork(const std::string& path, absl::string_view features,
                         const TrainedNetwork& model);

// A network that scores, bit by bit, as the saved one does: a packaged one by
// its name, or that of a file. Or one of a checkpoint that Pruner's authors
// published, which knows no scales (see ReadPublishedCheckpoint, whose errors
// these are then, too). Errors name the file: it is no network; it is cut short
// or otherwise damaged; its format has another version; it was trained on other
// features than `features`.
absl::StatusOr<TrainedNetwork> LoadNetwork(const std::string& name_or_path,
                                           absl::string_view features);

}  // namespace pruner

#endif  // PRUNER_PACM_MODEL_FILE_H_
