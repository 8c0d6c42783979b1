// Ranking networks by their options, computed by this process.
#ifndef PRUNER_PACM_MAKE_NETWORK_MODEL_H_
#define PRUNER_PACM_MAKE_NETWORK_MODEL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "pruner/pacm/network_model.h"

namespace pruner {

// Errors: an option out of range, by name; LoadNetwork's.
absl::StatusOr<std::unique_ptr<NetworkModel>> MakeNetworkModel(
    const NetworkModelOptions& options);

}  // namespace pruner

#endif  // PRUNER_PACM_MAKE_NETWORK_MODEL_H_
