// The numbers that a kernel is given beside its tensors: the typical values of
// a pipeline's parameters.
#ifndef HALIDE_EXT_BUILD_KERNEL_NUMBER_H_
#define HALIDE_EXT_BUILD_KERNEL_NUMBER_H_

#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/stored_pipeline.pb.h"

namespace pruner {

struct KernelNumber {
  Halide::Argument argument;
  halide_scalar_value_t value = {};  // of the argument's type
};

// Those among the arguments that Halide inferred of the stored pipeline, in
// their order. Error: one has neither an estimate nor a default.
absl::StatusOr<std::vector<KernelNumber>> KernelNumbers(
    absl::Span<const Halide::Argument> inferred,
    const proto::StoredPipeline& stored);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_NUMBER_H_
