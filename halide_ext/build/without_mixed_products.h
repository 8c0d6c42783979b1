// Schedules whose vectors Halide compiles, of those of which it does not
// (mixed_products.h).
#ifndef HALIDE_EXT_BUILD_WITHOUT_MIXED_PRODUCTS_H_
#define HALIDE_EXT_BUILD_WITHOUT_MIXED_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "halide_ext/build/kernel.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The schedule, with plain loops instead of vectors in stages with such
// products; itself if there are none. Errors: FAILED_PRECONDITION, the vectors
// are of loops that the schedule does not speak of, names of Funcs; what Halide
// refuses.
absl::StatusOr<Schedule> WithoutMixedProducts(const WorkloadPipeline& pipeline,
                                              const Schedule& schedule,
                                              const TargetSpec& target);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_WITHOUT_MIXED_PRODUCTS_H_
