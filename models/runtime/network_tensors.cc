#include "models/runtime/network_tensors.h"

#include <algorithm>

#include "absl/log/check.h"
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

void NetworkTensors::Assign(absl::Span<const Array> inputs) {
  CHECK_EQ(inputs.size(), inputs_.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    CHECK_EQ(inputs[i].values.size(), inputs_[i].span().size());
    std::copy(inputs[i].values.begin(), inputs[i].values.end(),
              inputs_[i].data());
  }
}

}  // namespace pruner
