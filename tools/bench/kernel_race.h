// Kernels of one pipeline on the same tensors: checked, timed, and timed side
// by side.
#ifndef TOOLS_BENCH_KERNEL_RACE_H_
#define TOOLS_BENCH_KERNEL_RACE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "models/runtime/aligned_floats.h"

namespace pruner {

class KernelRace {
 public:
  // Random inputs and what the unscheduled pipeline, which has one output,
  // makes of them.
  static absl::StatusOr<KernelRace> Create(const WorkloadPipeline& pipeline,
                                           uint64_t seed);

  // Seconds of several runs; of those whose fastest is beyond `far_behind` of
  // fewer. DataLoss if the output of the first run or of the last is wrong.
  absl::StatusOr<std::vector<double>> Time(
      const Kernel& kernel,
      double far_behind = std::numeric_limits<double>::infinity());

  // The fastest of these.
  absl::StatusOr<double> BestTime(const Kernel& kernel);

  // Seconds of runs in turns, by kernel: what else the machine does meanwhile
  // happens to all of them.
  absl::StatusOr<std::vector<std::vector<double>>> Interleaved(
      absl::Span<const Kernel* const> kernels, int rounds);

 private:
  KernelRace() = default;
  absl::StatusOr<double> Run(const Kernel& kernel);
  absl::Status CheckOutput() const;

  std::vector<AlignedFloats> memory_;  // one output, the last
  std::vector<void*> tensors_;
  std::vector<float> reference_;
};

}  // namespace pruner

#endif  // TOOLS_BENCH_KERNEL_RACE_H_
