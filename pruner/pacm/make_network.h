// Networks by name, with weights as training starts from them.
#ifndef PRUNER_PACM_MAKE_NETWORK_H_
#define PRUNER_PACM_MAKE_NETWORK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {

class RankingNetwork;

// Weights are drawn from `rng` as PyTorch draws them by default: those of
// linear layers and their biases uniformly within 1 / sqrt(inputs), those of
// attention within sqrt(6 / (inputs + outputs)) with biases of 0. The same
// `rng` gives the same network, whatever else uses LibTorch. Errors:
// CheckShape's.
absl::StatusOr<std::shared_ptr<RankingNetwork>> MakeNetwork(
    const NetworkShape& shape, Rng rng);

}  // namespace pruner

#endif  // PRUNER_PACM_MAKE_NETWORK_H_
