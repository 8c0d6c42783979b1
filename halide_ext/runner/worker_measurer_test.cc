#include "halide_ext/runner/worker_measurer.h"

#include <memory>
#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/fault.h"
#include "pruner/measure/measurer_conformance.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

WorkerMeasurer::Options TestOptions() {
  WorkerMeasurer::Options options;
  options.command = {"halide_ext/runner/test_worker"};
  options.target = SampleCpuTarget();
  options.target.halide_target = Halide::get_host_target().to_string();
  options.threads = 1;
  options.scratch_directory = testing::TempDir();
  options.run_timeout = absl::Seconds(20);
  options.compile_timeout = absl::Seconds(60);
  return options;
}

std::unique_ptr<WorkerMeasurer> Make(
    WorkerMeasurer::Options options = TestOptions()) {
  return *WorkerMeasurer::Create(std::move(options));
}

Workload MatmulWorkload() {
  return *MakeWorkload("matmul", MatmulReluPipeline(32, 32, 32));
}

INSTANTIATE_TEST_SUITE_P(Worker, MeasurerConformanceTest,
                         testing::Values(MeasurerUnderTest{
                             .name = "worker",
                             .make = [] { return Make(); },
                             .workload = MatmulWorkload,
                             .good = {}}));

std::vector<MeasureResult> MeasureAll(WorkerMeasurer& measurer,
                                      const std::vector<Schedule>& schedules) {
  std::vector<MeasureResult> results;
  const absl::Status status = measurer.Measure(
      MatmulWorkload(), schedules, [&](size_t, const MeasureResult& result) {
        results.push_back(result);
        return true;
      });
  EXPECT_TRUE(status.ok()) << status;
  return results;
}

// A candidate with the fault among good ones costs one failure and nothing
// else.
MeasureResult MeasureFault(WorkerMeasurer::Options options, Fault fault) {
  const std::unique_ptr<WorkerMeasurer> measurer = Make(std::move(options));
  const std::vector<MeasureResult> results =
      MeasureAll(*measurer, {{}, {}, WithFault({}, 3, fault), {}, {}});
  EXPECT_EQ(results.size(), 5u);
  for (int i : {0, 1, 3, 4}) {
    EXPECT_TRUE(results[i].ok()) << results[i].failure->message;
  }
  EXPECT_FALSE(results[2].ok());
  return results[2];
}

TEST(WorkerMeasurerTest, CrashIsAFailure) {
  const MeasureResult result = MeasureFault(TestOptions(), Fault::kCrash);
  EXPECT_EQ(result.failure->kind, FailureKind::kCrash);
  EXPECT_NE(result.failure->message.find("Aborted"), std::string::npos)
      << result.failure->message;
}

TEST(WorkerMeasurerTest, HangIsAFailureEvenOfAStoppedProcess) {
  WorkerMeasurer::Options options = TestOptions();
  options.run_timeout = absl::Seconds(3);
  EXPECT_EQ(MeasureFault(options, Fault::kHang).failure->kind,
            FailureKind::kRunTimeout);
}

TEST(WorkerMeasurerTest, MemoryExhaustionIsAFailure) {
  WorkerMeasurer::Options options = TestOptions();
  options.max_memory_bytes = int64_t{2} << 30;
  EXPECT_EQ(MeasureFault(options, Fault::kAllocate).failure->kind,
            FailureKind::kOutOfMemory);
}

TEST(WorkerMeasurerTest, WrongResultIsAFailure) {
  const MeasureResult result = MeasureFault(TestOptions(), Fault::kWrongResult);
  EXPECT_EQ(result.failure->kind, FailureKind::kWrongResult);
}

TEST(WorkerMeasurerTest, CompileTimeoutIsAFailure) {
  WorkerMeasurer::Options options = TestOptions();
  const std::unique_ptr<WorkerMeasurer> warm = Make(options);
  options.compile_timeout = absl::Milliseconds(1);
  const std::unique_ptr<WorkerMeasurer> measurer = Make(options);
  const std::vector<MeasureResult> results = MeasureAll(*measurer, {{}});
  EXPECT_EQ(results[0].failure->kind, FailureKind::kCompileTimeout);
}

TEST(WorkerMeasurerTest, ProgramThatIsNoWorkerIsAFailure) {
  WorkerMeasurer::Options options = TestOptions();
  options.command = {"/bin/true"};
  const std::unique_ptr<WorkerMeasurer> measurer = Make(options);
  EXPECT_EQ(MeasureAll(*measurer, {{}})[0].failure->kind, FailureKind::kCrash);
}

TEST(WorkerMeasurerTest, UnwritableScratchFolderIsAnError) {
  WorkerMeasurer::Options options = TestOptions();
  options.scratch_directory = "/proc/no_such_folder";
  EXPECT_FALSE(WorkerMeasurer::Create(options).ok());
}

}  // namespace
}  // namespace pruner
