// Targets for tests, the same on every machine that runs them.

#ifndef PRUNER_TARGET_SAMPLE_TARGETS_H_
#define PRUNER_TARGET_SAMPLE_TARGETS_H_

#include "pruner/target/target_spec.h"

namespace pruner {

// Two cores with AVX-512 (32 registers of 16 floats), one FMA pipe each, 32 KiB
// of L1, 1 MiB of L2 and 32 MiB of LLC; tiled and limited as every host.
TargetSpec SampleCpuTarget();

// The packaged "a100".
TargetSpec SampleGpuTarget();

// The same, but for OpenCL: with PoCL, GPU schedules run on any machine.
TargetSpec SampleOpenClTarget();

}  // namespace pruner

#endif  // PRUNER_TARGET_SAMPLE_TARGETS_H_
