#include "halide_ext/runner/cuda_assessor.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/fault.h"
#include "pruner/target/sample_targets.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

using ::bazel::tools::cpp::runfiles::Runfiles;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CudaAssessor::Options TestOptions() {
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  EXPECT_NE(runfiles, nullptr) << error;
  CudaAssessor::Options options;
  options.command = {"halide_ext/runner/test_worker"};
  options.target = SampleGpuTarget();
  options.ptxas = runfiles->Rlocation("cuda_tools/nvidia/cuda_nvcc/bin/ptxas");
  return options;
}

Workload MatmulWorkload() {
  return *MakeWorkload("matmul", MatmulReluPipeline(64, 64, 64));
}

TEST(CudaAssessorTest, OnlyForCuda) {
  CudaAssessor::Options options = TestOptions();
  options.target = SampleOpenClTarget();
  EXPECT_THAT(std::string(CudaAssessor::Create(options).status().message()),
              HasSubstr("target \"sample-opencl\" is not for CUDA"));
}

// The schedule without steps leaves everything on the host.
TEST(CudaAssessorTest, FailuresConcernTheirCandidateOnly) {
  const auto assessor = *CudaAssessor::Create(TestOptions());
  const std::vector<Assessment> assessments = assessor->Assess(
      MatmulWorkload(),
      std::vector<Schedule>{{}, WithFault({}, 2, Fault::kCrash), {}});
  ASSERT_THAT(assessments, SizeIs(3));
  for (const int i : {0, 2}) {
    ASSERT_TRUE(assessments[i].failure.has_value());
    EXPECT_EQ(assessments[i].failure->kind, FailureKind::kCompileError);
    EXPECT_THAT(assessments[i].failure->message,
                HasSubstr("no loop is bound to blocks"));
    EXPECT_THAT(assessments[i].kernels, IsEmpty());
  }
  ASSERT_TRUE(assessments[1].failure.has_value());
  EXPECT_EQ(assessments[1].failure->kind, FailureKind::kCrash);
}

}  // namespace
}  // namespace pruner
