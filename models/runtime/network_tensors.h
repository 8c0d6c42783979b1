// The caller's buffers of a network: inputs and outputs.
#ifndef MODELS_RUNTIME_NETWORK_TENSORS_H_
#define MODELS_RUNTIME_NETWORK_TENSORS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "models/operators/operators.h"
#include "models/runtime/network.h"
#include "models/runtime/tensor_buffer.h"

namespace pruner {

class NetworkTensors {
 public:
  // Of the network's sizes; all zero.
  explicit NetworkTensors(const Network& network);

  // Inputs uniform in [-1, 1); whole numbers from 0 to 7, and bools.
  void Randomize(uint64_t seed);
  // Inputs of these values, which are as many.
  void Assign(absl::Span<const Array> inputs);

  const std::vector<TensorBuffer>& inputs() const { return inputs_; }
  const std::vector<TensorBuffer>& outputs() const { return outputs_; }
  // As Network::Run takes them.
  const std::vector<const void*>& input_pointers() const {
    return input_pointers_;
  }
  const std::vector<void*>& output_pointers() const { return output_pointers_; }

 private:
  std::vector<TensorBuffer> inputs_;
  std::vector<TensorBuffer> outputs_;
  std::vector<const void*> input_pointers_;
  std::vector<void*> output_pointers_;
};

}  // namespace pruner

#endif  // MODELS_RUNTIME_NETWORK_TENSORS_H_
