// Memory for what a network keeps: constants and activations.
#ifndef MODELS_RUNTIME_TENSOR_ARENA_H_
#define MODELS_RUNTIME_TENSOR_ARENA_H_

#include <cstddef>
#include <vector>

#include "pruner/base/os/huge_memory.h"

namespace pruner {

// Tensors one behind the other, in huge pages where the system gives them.
class TensorArena {
 public:
  // Zeros that begin at a multiple of kTensorAlignment bytes. They stay where
  // they are for as long as the arena lives, wherever that is moved. Ends the
  // program if there is not as much memory.
  void* Allocate(size_t bytes);

  // Of all tensors together.
  size_t bytes() const { return bytes_; }

 private:
  std::vector<HugeMemory> chunks_;
  char* next_ = nullptr;
  size_t left_ = 0;  // bytes of the last chunk
  size_t bytes_ = 0;
};

}  // namespace pruner

#endif  // MODELS_RUNTIME_TENSOR_ARENA_H_
