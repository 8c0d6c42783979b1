#include "models/runtime/network_tensors.h"

#include "pruner/base/rng.h"

namespace pruner {

NetworkTensors::NetworkTensors(const Network& network) {
  for (size_t size : network.input_sizes()) {
    inputs_.emplace_back(size);
    input_pointers_.push_back(inputs_.back().data());
  }
  for (size_t size : network.output_sizes()) {
    outputs_.emplace_back(size);
    output_pointers_.push_back(outputs_.back().data());
  }
}

void NetworkTensors::Randomize(uint64_t seed) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    Rng rng = Rng(seed).Fork(i);
    for (float& value : inputs_[i].span())
      value = static_cast<float>(2 * rng.Real() - 1);
  }
}

}  // namespace pruner
