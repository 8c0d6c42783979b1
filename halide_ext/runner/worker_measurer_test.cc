#include "halide_ext/runner/worker_measurer.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/fault.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measurer_conformance.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/target/device_available.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

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
  const absl::Status status =
      measurer.Measure(MatmulWorkload(), MeasurePolicy::kWarm, schedules,
                       [&](size_t, const MeasureResult& result) {
                         results.push_back(result);
                         return true;
                       },
                       {});
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

TEST(WorkerMeasurerTest, WhatIsTouchedTooMuchIsNamed) {
  const MeasureResult result =
      MeasureFault(TestOptions(), Fault::kTouchesTooMuch);
  EXPECT_EQ(
      *result.failure,
      (Failure{FailureKind::kOutOfBounds,
               "the candidate touched byte 4196 of 'out', beyond its ends"}));
}

// Somebody who ends a worker has nothing to say about a candidate.
TEST(WorkerMeasurerTest, ALostWorkerIsReplaced) {
  const std::unique_ptr<WorkerMeasurer> measurer = Make();
  for (const MeasureResult& result : MeasureAll(
           *measurer, {{}, {}, WithFault({}, 3, Fault::kIsKilledOnce), {}, {}}))
    EXPECT_TRUE(result.ok()) << result.failure->message;
}

// The status of measuring these; candidates have no results.
absl::Status WhyNotMeasured(WorkerMeasurer::Options options,
                            const std::vector<Schedule>& schedules,
                            const Measurer::IsUnwanted& is_unwanted = {}) {
  return Make(std::move(options))
      ->Measure(
          MatmulWorkload(), MeasurePolicy::kWarm, schedules,
          [](size_t, const MeasureResult&) {
            ADD_FAILURE();
            return true;
          },
          is_unwanted);
}

TEST(WorkerMeasurerTest, AWorkerThatIsLostEveryTimeIsAnError) {
  WorkerMeasurer::Options options = TestOptions();
  options.lost_patience = absl::ZeroDuration();
  const absl::Status status =
      WhyNotMeasured(options, {WithFault({}, 3, Fault::kIsKilled), {}});
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("something ends the worker processes, 3 in "),
                    HasSubstr("with one candidate"),
                    HasSubstr("was ended by signal 9")));
}

WorkerMeasurer::Options SlowReferenceOptions() {
  WorkerMeasurer::Options options = TestOptions();
  options.command.push_back("slow_reference");
  options.seed = 77;  // no reference of another test
  return options;
}

TEST(WorkerMeasurerTest, CandidatesDoNotPayForTheReference) {
  WorkerMeasurer::Options options = SlowReferenceOptions();
  options.run_timeout = absl::Milliseconds(1500);
  for (const MeasureResult& result : MeasureAll(*Make(options), {{}, {}})) {
    EXPECT_TRUE(result.ok()) << result.failure->message;
  }
}

TEST(WorkerMeasurerTest, UnwantedItWaitsForNoAnswer) {
  const absl::Duration start = RealClock().Elapsed();
  EXPECT_TRUE(absl::IsCancelled(WhyNotMeasured(
      TestOptions(), {WithFault({}, 3, Fault::kHang), {}},
      [start] { return RealClock().Elapsed() - start > absl::Seconds(2); })));
  EXPECT_LT(RealClock().Elapsed() - start, absl::Seconds(8));
}

TEST(WorkerMeasurerTest, AReferenceThatSomebodyEndsIsComputedAgain) {
  WorkerMeasurer::Options options = TestOptions();
  options.seed = 79;
  const std::string mark = testing::TempDir() + "/reference_lost";
  options.command.insert(options.command.end(), {"lost_reference", mark});
  for (const MeasureResult& result : MeasureAll(*Make(options), {{}, {}})) {
    EXPECT_TRUE(result.ok()) << result.failure->message;
  }
  EXPECT_EQ(rmdir(mark.c_str()), 0);
}

// It says nothing about the candidates.
TEST(WorkerMeasurerTest, WithoutReferenceNothingIsMeasured) {
  WorkerMeasurer::Options options = SlowReferenceOptions();
  options.seed = 78;
  options.reference_timeout = absl::Milliseconds(1);
  const absl::Status status = WhyNotMeasured(options, {{}, {}});
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the reference output of matmul, which candidates are "
                        "compared with, cannot be computed: no answer within"));
}

std::vector<MeasureResult> MeasureOne(const Halide::Pipeline& pipeline) {
  std::vector<MeasureResult> results;
  const absl::Status status = Make()->Measure(
      *MakeWorkload("one", pipeline), MeasurePolicy::kWarm, {Schedule()},
      [&](size_t, const MeasureResult& result) {
        results.push_back(result);
        return true;
      },
      {});
  EXPECT_TRUE(status.ok()) << status;
  return results;
}

// As an unfolded batch norm's are, where a variance happens to be negative.
TEST(WorkerMeasurerTest, OutputsThatAreNoNumbersAreNotCompared) {
  Halide::ImageParam a(Halide::Float(32), 1, "a"), b(Halide::Float(32), 1, "b");
  for (Halide::ImageParam* input : {&a, &b}) input->dim(0).set_bounds(0, 64);
  const Halide::Var x("x");
  Halide::Func out("out"), none("none");
  out(x) = a(x) / Halide::sqrt(b(x));
  out.bound(x, 0, 64);
  const std::vector<MeasureResult> results = MeasureOne(out);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].ok()) << results[0].failure->message;
  none(x) = a(x) / Halide::sqrt(-1.5f - b(x));
  none.bound(x, 0, 64);
  const std::vector<MeasureResult> nothing = MeasureOne(none);
  ASSERT_EQ(nothing.size(), 1u);
  EXPECT_FALSE(nothing[0].ok());
}

TEST(WorkerMeasurerTest, TensorsOfAllTypesAreMeasured) {
  for (const Halide::Type& type :
       {Halide::Bool(), Halide::UInt(8), Halide::Int(16), Halide::UInt(32),
        Halide::Int(64), Halide::Float(64)}) {
    SCOPED_TRACE(testing::Message() << type);
    Halide::ImageParam a(type, 1, "a");
    a.dim(0).set_bounds(0, 64);
    const Halide::Var x("x");
    Halide::Func out("out");
    out(x) = Halide::select(a(x) == a(63 - x), a(0), a(x));
    out.bound(x, 0, 64);
    const std::vector<MeasureResult> results = MeasureOne(out);
    ASSERT_EQ(results.size(), 1u);
    ASSERT_TRUE(results[0].ok()) << results[0].failure->message;
    EXPECT_EQ(results[0].max_error, 0);
  }
}

TEST(WorkerMeasurerTest, PluginThatIsNotThereIsAnError) {
  const MeasureResult result = Make()->MeasureAutoscheduler(
      MatmulWorkload(), MeasurePolicy::kWarm, "Adams2019", "/no/such/plugin.so",
      absl::Seconds(60), {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure->kind, FailureKind::kLoad);
}

TEST(WorkerMeasurerTest, CompileTimeoutIsAFailure) {
  WorkerMeasurer::Options options = TestOptions();
  const std::unique_ptr<WorkerMeasurer> warm = Make(options);
  options.compile_timeout = absl::Milliseconds(1);
  const std::unique_ptr<WorkerMeasurer> measurer = Make(options);
  const std::vector<MeasureResult> results = MeasureAll(*measurer, {{}});
  EXPECT_EQ(results[0].failure->kind, FailureKind::kCompileTimeout);
}

TEST(WorkerMeasurerTest, WhatTakesMuchLongerToCompileThanOthersHasFailed) {
  WorkerMeasurer::Options options = TestOptions();
  options.compile_factor = 1e-3;
  options.min_compile_timeout = absl::Milliseconds(1);
  const std::unique_ptr<WorkerMeasurer> measurer = Make(options);
  for (const MeasureResult& result :
       MeasureAll(*measurer, std::vector<Schedule>(3))) {
    EXPECT_TRUE(result.ok()) << result.failure->message;
  }
  const std::vector<MeasureResult> results = MeasureAll(*measurer, {{}});
  EXPECT_EQ(results[0].failure->kind, FailureKind::kCompileTimeout);
  // Seconds do not matter, however quick others were.
  options.min_compile_timeout = absl::Seconds(60);
  const std::unique_ptr<WorkerMeasurer> patient = Make(options);
  MeasureAll(*patient, std::vector<Schedule>(3));
  EXPECT_TRUE(MeasureAll(*patient, {{}})[0].ok());
}

// What they do when they run is not found out.
TEST(WorkerMeasurerTest, CheckTellsWhatDoesNotCompile) {
  const std::unique_ptr<WorkerMeasurer> measurer = Make();
  const Schedule broken = {.steps = {AutoUnrollStep{.stage = 99}}};
  const auto failures = measurer->Check(
      MatmulWorkload(), MeasurePolicy::kWarm,
      {{}, broken, WithFault({}, 3, Fault::kCrash)}, /*is_unwanted=*/{});
  ASSERT_THAT(failures, IsOk());
  ASSERT_EQ(failures->size(), 3);
  EXPECT_FALSE((*failures)[0].has_value());
  EXPECT_EQ((*failures)[1]->kind, FailureKind::kLowering);
  EXPECT_FALSE((*failures)[2].has_value());
  EXPECT_TRUE(MeasureAll(*measurer, {{}})[0].ok());
}

TEST(WorkerMeasurerTest, CheckedAgainIfSomebodyEndsTheWorker) {
  WorkerMeasurer::Options options = TestOptions();
  const std::string mark = testing::TempDir() + "/compile_lost";
  options.command.insert(options.command.end(), {"lost_compile", mark});
  const auto failures =
      Make(options)->Check(MatmulWorkload(), MeasurePolicy::kWarm, {{}, {}},
                           /*is_unwanted=*/{});
  ASSERT_THAT(failures, IsOk());
  for (const std::optional<Failure>& failure : *failures)
    EXPECT_FALSE(failure.has_value()) << failure->message;
  EXPECT_EQ(rmdir(mark.c_str()), 0);
}

TEST(WorkerMeasurerTest, UnwantedNothingIsChecked) {
  EXPECT_THAT(Make()->Check(MatmulWorkload(), MeasurePolicy::kWarm, {{}},
                            [] { return true; }),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(WorkerMeasurerTest, ABusyMachineIsNoFaultOfACandidate) {
  WorkerMeasurer::Options options = TestOptions();
  options.command.push_back("waiting_compile");
  options.compile_timeout = absl::Seconds(3);
  const MeasureResult result = MeasureAll(*Make(options), {{}})[0];
  EXPECT_TRUE(result.ok()) << result.failure->message;
  // But it does not wait for ever.
  options.compile_timeout = absl::Milliseconds(300);
  const MeasureResult late = MeasureAll(*Make(options), {{}})[0];
  EXPECT_EQ(*late.failure, (Failure{FailureKind::kCompileTimeout,
                                    "no answer within 300ms of computing"}));
}

TEST(WorkerMeasurerTest, WithoutWorkersNothingIsMeasured) {
  WorkerMeasurer::Options options = TestOptions();
  options.command = {"/bin/true"};
  EXPECT_THAT(std::string(WhyNotMeasured(options, {{}}).message()),
              HasSubstr("a worker process cannot be prepared for a workload, "
                        "so nothing can be measured: /bin/true (process "));
  options.command = {"/no/such/program"};
  EXPECT_THAT(std::string(WhyNotMeasured(options, {{}}).message()),
              HasSubstr("no worker process can be started, so nothing can be "
                        "measured: cannot run /no/such/program"));
}

TEST(WorkerMeasurerTest, UnwritableScratchFolderIsAnError) {
  WorkerMeasurer::Options options = TestOptions();
  options.scratch_directory = "/proc/no_such_folder";
  EXPECT_FALSE(WorkerMeasurer::Create(options).ok());
}

// Schedules of threads run on the device and agree with the host's reference.
TEST(WorkerMeasurerTest, OnDevicesThereIsOneSample) {
  WorkerMeasurer::Options options = TestOptions();
  options.target = SampleOpenClTarget();
  options.device_seconds = 0.02;
  if (absl::Status status = DeviceAvailable(options.target); !status.ok())
    GTEST_SKIP() << status.message();
  const Workload workload = MatmulWorkload();
  const SketchContext context = {.dag = workload.dag, .target = options.target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  Rng rng(1);
  std::vector<Schedule> schedules;
  while (schedules.size() < 3) {
    const absl::StatusOr<Draw> draw = sampler.Sample(rng);
    ASSERT_TRUE(draw.ok()) << draw.status();
    if (const auto* schedule = std::get_if<Schedule>(&*draw))
      schedules.push_back(*schedule);
  }
  const std::unique_ptr<WorkerMeasurer> measurer = Make(std::move(options));
  const std::vector<MeasureResult> results = MeasureAll(*measurer, schedules);
  ASSERT_EQ(results.size(), 3u);
  for (const MeasureResult& result : results) {
    ASSERT_TRUE(result.ok()) << result.failure->message;
    ASSERT_EQ(result.seconds.size(), 1u);
    EXPECT_GT(result.seconds[0], 0);
    EXPECT_LT(result.seconds[0], 0.02) << "of one run, not of all";
  }
}

TEST(WorkerMeasurerTest, AMissingDeviceIsAnError) {
  WorkerMeasurer::Options options = TestOptions();
  options.target = SampleGpuTarget();
  if (DeviceAvailable(options.target).ok()) GTEST_SKIP() << "there is a GPU";
  EXPECT_NE(std::string(WorkerMeasurer::Create(options).status().message())
                .find("programs for target \"a100\" cannot run"),
            std::string::npos);
}

}  // namespace
}  // namespace pruner
