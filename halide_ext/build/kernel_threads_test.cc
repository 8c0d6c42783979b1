// A program of its own: the first kernel of a process is what it is about.
#include "halide_ext/build/kernel_threads.h"

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"

namespace pruner {
namespace {

TEST(KernelThreadsTest, CanBeSetBeforeTheFirstKernel) {
  constexpr int kThreads = 3;
  SetKernelThreads(kThreads);
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(8, 8, 8));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  ASSERT_TRUE(pipeline.CompileReference().ok());
  EXPECT_EQ(Halide::Internal::JITSharedRuntime::get_num_threads(), kThreads);
}

}  // namespace
}  // namespace pruner
