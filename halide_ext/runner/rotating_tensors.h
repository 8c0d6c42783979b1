// A candidate's tensors, as cold as they will be where it is used.
#ifndef HALIDE_EXT_RUNNER_ROTATING_TENSORS_H_
#define HALIDE_EXT_RUNNER_ROTATING_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/kernel_tensor.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {

// Copies of the constants, used in turns: when one is used again, all the
// others have been read. Of all other tensors there is one copy. They lie in
// huge pages, as those of networks do.
class RotatingTensors {
 public:
  RotatingTensors() = default;
  // `tensors` are those of all arguments; if `bytes` is 0, they themselves are
  // used, and must outlive this. `is_constant`, by argument. The copies of
  // constants have `bytes` together, as far as there is memory:
  // ResourceExhausted if there is not for half. They are in `memory`, which
  // must outlive this, and which is allocated anew if it is too small: a system
  // may take half a second to find that many pages.
  static absl::StatusOr<RotatingTensors> Create(
      absl::Span<const KernelArgument> arguments,
      absl::Span<KernelTensor* const> tensors,
      const std::vector<bool>& is_constant, int64_t bytes, HugeMemory& memory);

  // Of all arguments, for the next run.
  absl::Span<KernelTensor* const> Next();
  // Of all arguments; those of outputs are in every turn.
  absl::Span<KernelTensor* const> first() const { return turns_[0]; }
  size_t num_copies() const { return turns_.size(); }

 private:
  std::vector<KernelTensor> copies_;
  std::vector<std::vector<KernelTensor*>> turns_;
  size_t next_ = 0;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_ROTATING_TENSORS_H_
