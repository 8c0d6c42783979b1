// Memory for what a network keeps: constants and activations.
#ifndef MODELS_RUNTIME_FLOAT_ARENA_H_
#define MODELS_RUNTIME_FLOAT_ARENA_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {

// Tensors one behind the other, in huge pages where the system gives them.
class FloatArena {
 public:
  // Zeros that begin at a multiple of kTensorAlignment bytes. They stay where
  // they are for as long as the arena lives, wherever that is moved. Ends the
  // program if there is not as much memory.
  absl::Span<float> Allocate(size_t size);

  // Of all tensors together.
  size_t bytes() const { return bytes_; }

 private:
  std::vector<HugeMemory> chunks_;
  float* next_ = nullptr;
  size_t left_ = 0;  // floats, of the last chunk
  size_t bytes_ = 0;
};

}  // namespace pruner

#endif  // MODELS_RUNTIME_FLOAT_ARENA_H_
