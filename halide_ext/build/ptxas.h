// CUDA's assembler, which says what a kernel needs of the hardware. It needs no
// GPU.
#ifndef HALIDE_EXT_BUILD_PTXAS_H_
#define HALIDE_EXT_BUILD_PTXAS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

struct KernelResources {
  std::string kernel;  // its entry point
  // Of a thread.
  int64_t registers = 0;
  int64_t stack_bytes = 0;
  int64_t spill_store_bytes = 0;
  int64_t spill_load_bytes = 0;
  // Of a block; without what is asked for only when a kernel is started, as
  // Halide does for all it has (see KernelShape).
  int64_t shared_bytes = 0;
  int64_t constant_bytes = 0;

  // Whether all that a thread keeps is in registers.
  bool InRegisters() const { return stack_bytes + spill_store_bytes == 0; }
};

class Ptxas {
 public:
  // `program` is the path of ptxas. Each run may take `timeout_seconds`.
  explicit Ptxas(std::string program, double timeout_seconds = 60)
      : program_(std::move(program)), timeout_seconds_(timeout_seconds) {}

  // Assembles PTX for an architecture ("sm_80"), with at most `max_registers`
  // per thread, and lists its kernels in the order in which they are compiled.
  // INVALID_ARGUMENT with the program's own words if it refuses the code;
  // UNIMPLEMENTED if it does not know the architecture: it is of a version that
  // serves no such devices; other errors if it cannot be run.
  absl::StatusOr<std::vector<KernelResources>> Assess(
      absl::string_view ptx, const std::string& architecture,
      int64_t max_registers = 255) const;

  // What it says of its version. Unavailable if it cannot be run.
  absl::StatusOr<std::string> Version() const;

  // Whether it knows the architecture; errors as those of Assess.
  absl::Status CheckArchitecture(const std::string& architecture) const;

 private:
  std::string program_;
  double timeout_seconds_;
};

// What `ptxas -v` printed, as data.
std::vector<KernelResources> ParsePtxasReport(absl::string_view report);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PTXAS_H_
