// Whether candidates are valid for a CUDA device, as Halide and ptxas say
// without one.
#ifndef HALIDE_EXT_RUNNER_CUDA_ORACLE_H_
#define HALIDE_EXT_RUNNER_CUDA_ORACLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"
#include "pruner/workload/workload.h"

namespace pruner {

// A candidate is valid if it compiles, ptxas takes it and threads use nothing
// that only others know; one that spills registers is, too: it runs.
class CudaOracle : public ValidityOracle {
 public:
  // All of it must outlive the oracle; the space is of the workload, for the
  // assessor's target.
  CudaOracle(ScheduleSpace& space, const Workload& workload,
             CudaAssessor& assessor)
      : space_(space), workload_(workload), assessor_(assessor) {}

  // Error: the workers cannot go on.
  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override;

  // For CachedOracle: of the workload, the target and the candidate's schedule,
  // and of `version`, for which the compilers' may be given.
  absl::StatusOr<uint64_t> KeyOf(const Candidate& candidate,
                                 const std::string& version) const;

 private:
  ScheduleSpace& space_;
  const Workload& workload_;
  CudaAssessor& assessor_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_CUDA_ORACLE_H_
