// Code that runs in this process, on the host or on a device that the host
// drives.
#ifndef HALIDE_EXT_BUILD_COMPILED_KERNEL_H_
#define HALIDE_EXT_BUILD_COMPILED_KERNEL_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/kernel_number.h"
#include "halide_ext/build/kernel_tensor.h"
#include "halide_ext/passes/kernel_shape.h"
#include "halide_ext/passes/parallel_loops.h"
#include "halide_ext/passes/promotion_report.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct RunOptions {
  // On the host: outputs, and what the kernel allocates, if it is more than a
  // few pages, become the own of the cores that run it before it writes them
  // (halide_ext/runtime/claim_lines.h). It pays where other kernels have used
  // the memory since; otherwise it takes a little time.
  bool claim_memory = false;
  // On the host: what the kernel allocates is full of kPoison when it gets it
  // (but for what it has on its stack), so that reading what it has not written
  // shows. For checks.
  bool poison_memory = false;
};

// Floats of these bytes are no numbers, whole numbers have all bits set.
inline constexpr unsigned char kPoison = 0xFF;

// Compiled code. Copies share it.
class Kernel {
 public:
  // What it is made of.
  struct Parts {
    Halide::Callable callable;
    std::vector<KernelArgument> arguments;
    int num_inputs = 0;
    std::vector<KernelNumber> numbers;  // come after the inputs
    // It is for others, who have the threads of Halide's run time and memory of
    // the C library, and runs with these (FreshHeap).
    bool is_for_others = false;
    TargetSpec target;
    PromotionReport promotions;
    std::vector<KernelShape> shapes;
    ParallelLoops parallel_loops;
  };
  explicit Kernel(Parts parts);

  // Runs once and returns when the outputs are there. `tensors` are the
  // arguments' first elements in host memory, in the order of
  // WorkloadPipeline::arguments(), aligned to 64 bytes. Error: what the
  // compiled code or the driver reports; UNAVAILABLE if the target's device is
  // not there.
  absl::Status Run(absl::Span<void* const> tensors,
                   const RunOptions& options = {}) const;

  // The same on tensors, one for each argument, that stay where they are: on a
  // device only starts the kernel. Nothing is copied but what was loaded since
  // the last run.
  absl::Status Run(absl::Span<KernelTensor* const> tensors,
                   const RunOptions& options = {}) const;

  // Runs so often, one after the other, and returns the mean time of a run in
  // seconds: the device's, where its driver tells (CUDA); else by the clock,
  // until the device is idle. Run it before, so that everything is loaded.
  absl::StatusOr<double> Time(absl::Span<KernelTensor* const> tensors, int runs,
                              const RunOptions& options = {}) const;

  // Of device code; empty otherwise.
  const PromotionReport& promotions() const;
  const std::vector<KernelShape>& shapes() const;

 private:
  struct Contents;

  std::shared_ptr<const Contents> contents_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_COMPILED_KERNEL_H_
