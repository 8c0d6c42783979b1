// All numbers of a network by name, apart from LibTorch.
#ifndef PRUNER_PACM_NETWORK_STATE_H_
#define PRUNER_PACM_NETWORK_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace pruner {

class RankingNetwork;

struct NamedTensor {
  std::string name;  // such as "rows.first.weight"
  std::vector<int64_t> shape;
  std::vector<float> values;

  bool operator==(const NamedTensor&) const = default;
};

// Parameters, and the statistics of batch norm: all that a prediction depends
// on.
std::vector<NamedTensor> StateOf(const RankingNetwork& network);

// Makes it the network's. Errors, and nothing is changed: other names or shapes
// than the network has, in another order; a value that is not finite.
absl::Status SetState(const std::vector<NamedTensor>& state,
                      RankingNetwork& network);

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_STATE_H_
