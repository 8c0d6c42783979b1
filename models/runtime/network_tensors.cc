#include "models/runtime/network_tensors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/log/check.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

double RandomElement(DataType type, Rng& rng) {
  switch (type) {
    case DataType::kFloat32:
      return 2 * rng.Real() - 1;
    case DataType::kInt64:
      return static_cast<double>(rng.Uniform(0, 7));
    case DataType::kBool:
      return static_cast<double>(rng.Uniform(0, 1));
  }
  return 0;
}

}  // namespace

NetworkTensors::NetworkTensors(const Network& network) {
  for (const BufferSpec& spec : network.inputs()) {
    inputs_.emplace_back(spec);
    input_pointers_.push_back(inputs_.back().data());
  }
  for (const BufferSpec& spec : network.outputs()) {
    outputs_.emplace_back(spec);
    output_pointers_.push_back(outputs_.back().data());
  }
}

void NetworkTensors::Randomize(uint64_t seed) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    Rng rng = Rng(seed).Fork(i);
    std::vector<double> values(inputs_[i].size());
    for (double& value : values)
      value = RandomElement(inputs_[i].spec().type, rng);
    inputs_[i].view().Assign(values);
  }
}

void NetworkTensors::Assign(absl::Span<const Array> inputs) {
  CHECK_EQ(inputs.size(), inputs_.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    inputs_[i].view().Assign(inputs[i].values);
}

}  // namespace pruner
