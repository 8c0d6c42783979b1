// A random pipeline with what it computes without a schedule.
#ifndef HALIDE_EXT_TESTS_FUZZ_REFERENCE_H_
#define HALIDE_EXT_TESTS_FUZZ_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/tests/fuzz_subject.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

class FuzzReference {
 public:
  // `sealed` is Workload::pipeline; the seed is that of the tensors. Where any
  // size will do these are the estimated one and others: smaller and larger,
  // beginning elsewhere. FAILED_PRECONDITION: none of these can be tried, since
  // Halide would read inputs to say how large they must be.
  static absl::StatusOr<std::unique_ptr<FuzzReference>> Make(
      const std::string& sealed, uint64_t seed, FuzzMode mode);

  virtual ~FuzzReference() = default;

  virtual const ComputeDag& dag() const = 0;

  // `on_compiled` is called in between. Error: the schedule does not compile,
  // or computes something else.
  virtual absl::Status Check(const Schedule& schedule,
                             absl::FunctionRef<void()> on_compiled) const = 0;
};

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_FUZZ_REFERENCE_H_
