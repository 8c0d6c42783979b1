// The hand-written GPU schedules of halide_ext/passes as workloads.
#ifndef HALIDE_EXT_TESTS_SAMPLE_KERNELS_H_
#define HALIDE_EXT_TESTS_SAMPLE_KERNELS_H_

#include "halide_ext/build/kernel.h"
#include "halide_ext/passes/sample_conv.h"
#include "halide_ext/passes/sample_gemm.h"

namespace pruner {

struct SampleKernel {
  WorkloadPipeline pipeline;
  ScheduleFunction schedule;
};

SampleKernel GemmKernel(const GemmOptions& options);
SampleKernel ConvKernel(const ConvOptions& options);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_SAMPLE_KERNELS_H_
