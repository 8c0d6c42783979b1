#include "halide_ext/runner/cuda_assessor.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/fault.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/target/sample_targets.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::bazel::tools::cpp::runfiles::Runfiles;
using ::testing::AllOf;
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

TEST(CudaAssessorTest, OnlyForDevicesThatPtxasKnows) {
  CudaAssessor::Options options = TestOptions();
  options.target = *LoadTargetSpec("k80");
  const absl::Status status = CudaAssessor::Create(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("does not know sm_35"), HasSubstr("k80")));
}

// Each that is drawn for the target and compiles is described.
TEST(CudaAssessorTest, SampledSchedules) {
  const Workload workload = MatmulWorkload();
  const CudaAssessor::Options options = TestOptions();
  const SketchContext context = {.dag = workload.dag, .target = options.target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  Rng rng(1);
  std::vector<Schedule> schedules;
  while (schedules.size() < 6) {
    const absl::StatusOr<Draw> draw = sampler.Sample(rng);
    ASSERT_TRUE(draw.ok()) << draw.status();
    if (const auto* schedule = std::get_if<Schedule>(&*draw))
      schedules.push_back(*schedule);
  }
  int assessed = 0;
  const std::vector<Assessment> assessments =
      *(*CudaAssessor::Create(options))->Assess(workload, schedules);
  for (const Assessment& assessment : assessments) {
    if (assessment.failure) continue;
    ++assessed;
    EXPECT_GT(assessment.compile_seconds, 0);
    ASSERT_FALSE(assessment.kernels.empty());
    EXPECT_GT(assessment.kernels[0].registers, 0);
    EXPECT_GT(assessment.kernels[0].constant_bytes, 0);
  }
  EXPECT_GE(assessed, 3);
}

// The schedule without steps leaves everything on the host.
TEST(CudaAssessorTest, FailuresConcernTheirCandidateOnly) {
  const auto assessor = *CudaAssessor::Create(TestOptions());
  const std::vector<Assessment> assessments = *assessor->Assess(
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

// Nor is a worker that somebody ends a failure of its candidate.
TEST(CudaAssessorTest, WithoutWorkersNothingIsAssessed) {
  const auto assessor = *CudaAssessor::Create(TestOptions());
  EXPECT_THAT(
      assessor->Assess(MatmulWorkload(), {WithFault({}, 2, Fault::kIsKilled)}),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("signal 9")));
}

TEST(CudaAssessorTest, UnwantedItWaitsForNoAnswer) {
  CudaAssessor::Options options = TestOptions();
  options.is_unwanted = [] { return true; };
  const auto assessor = *CudaAssessor::Create(options);
  EXPECT_THAT(
      assessor->Assess(MatmulWorkload(), {WithFault({}, 2, Fault::kHang)}),
      StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace pruner
