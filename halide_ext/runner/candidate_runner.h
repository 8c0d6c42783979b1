// Runs compiled candidates of one workload: input data, the reference output,
// the comparison and the timing.
#ifndef HALIDE_EXT_RUNNER_CANDIDATE_RUNNER_H_
#define HALIDE_EXT_RUNNER_CANDIDATE_RUNNER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/guard_report.h"
#include "halide_ext/runner/guarded_memory.h"
#include "halide_ext/runner/rotating_tensors.h"
#include "halide_ext/runner/tensor_values.h"
#include "halide_ext/runner/timing_options.h"
#include "pruner/base/os/huge_memory.h"
#include "pruner/measure/measure_result.h"

namespace pruner {

// How cold candidates find their tensors when they are timed: constants as a
// network leaves them from one use to the next, all others as its kernels leave
// them for each other.
struct ConstantRotation {
  std::vector<std::string> constants;  // names of inputs
  int64_t bytes = 0;  // of all copies; 0: none, and all tensors stay warm
  // Whether kernels then claim what they write, as a network's do.
  bool claim_memory = false;
};

class CandidateRunner {
 public:
  // Is shown the elements of an output.
  using AfterRun = std::function<void(absl::Span<uint8_t> output)>;

  // Makes input data from the seed, the same in every process; if `values` are
  // given, of that kind: then outputs in which nothing can be compared, or next
  // to nothing is left of the inputs, are right. The pipeline must outlive the
  // runner, as must `copies`, which is for the copies of constants and may
  // serve one runner after the other.
  static absl::StatusOr<CandidateRunner> Create(
      const WorkloadPipeline& pipeline, uint64_t seed,
      std::string reference_file, ConstantRotation rotation, HugeMemory& copies,
      std::optional<InputValues> values = std::nullopt);

  // Copies the constants, unless that was done. Measure does what was not; this
  // is for a time when other processes compile. Error: there is no room.
  absl::Status EnsureRotation();

  // Reads the reference output from its file, or computes it and writes the
  // file, if that was not done before.
  absl::Status EnsureReference();

  // Runs the kernel once and compares, then times it and compares what the last
  // timed run left, on the device it was compiled for, where inputs stay.
  // `after_run` may change the output before it is compared. For the first run
  // the memory that the kernel allocates is spoiled.
  absl::StatusOr<MeasureResult> Measure(const Kernel& kernel,
                                        const TimingOptions& options,
                                        const AfterRun& after_run);

 private:
  CandidateRunner() = default;
  absl::Span<uint8_t> Output(size_t argument) const;
  void SpoilOutputs();
  absl::Status RunOnce(const Kernel& kernel);
  // Of the outputs among `tensors`, or of what lies around all tensors.
  std::optional<Failure> Check(absl::Span<KernelTensor* const> tensors,
                               const AfterRun& after_run, double& max_error);
  std::optional<Failure> FindDamage();
  bool IsRight(const Difference& found) const;
  absl::Status TakeSamples(const Kernel& kernel, const TimingOptions& options,
                           std::vector<double>& seconds);

  const WorkloadPipeline* pipeline_ = nullptr;
  std::string reference_file_;
  std::vector<GuardedMemory> memory_;
  std::unique_ptr<GuardReport> guard_report_;  // of memory_
  std::vector<void*> hosts_;                   // the tensors in host memory
  std::vector<KernelTensor> tensors_;
  std::vector<KernelTensor*> tensor_pointers_;
  ConstantRotation rotation_;
  HugeMemory* copies_ = nullptr;
  std::optional<RotatingTensors> rotating_;
  // Of what is not constant, unless all stays warm.
  std::vector<KernelTensor*> read_, written_;
  std::string reference_;  // all outputs, one after the other
  bool usual_inputs_ = true;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_CANDIDATE_RUNNER_H_
