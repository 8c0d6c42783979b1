// A target for tests that compile and run kernels.
#ifndef HALIDE_EXT_BUILD_SAMPLE_HOST_TARGET_H_
#define HALIDE_EXT_BUILD_SAMPLE_HOST_TARGET_H_

#include "pruner/target/target_spec.h"

namespace pruner {

// SampleCpuTarget, compiled for whatever machine this is.
TargetSpec SampleHostTarget();

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_SAMPLE_HOST_TARGET_H_
