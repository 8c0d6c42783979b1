#include "halide_ext/runner/task_oracles.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

class TaskOraclesTest : public testing::Test {
 protected:
  TaskOraclesTest() {
    options_.command = {"halide_ext/runner/test_worker"};
    options_.target = SampleCpuTarget();
    options_.target.halide_target = Halide::get_host_target().to_string();
    options_.threads = 1;
    options_.scratch_directory = folder_.path();
    options_.compile_timeout = absl::Seconds(60);
  }

  // What new oracles say of three candidates.
  absl::StatusOr<std::vector<bool>> Ask(TaskOracles::Options options = {}) {
    const auto measurer = WorkerMeasurer::Create(options_).value();
    TaskOracles oracles(*measurer, std::move(options));
    const auto space =
        ScheduleSpace::Create({.dag = workload_.dag, .target = options_.target})
            .value();
    Rng rng(1);
    std::vector<Candidate> candidates;
    while (candidates.size() < 3) {
      CandidateDraw draw = Sample(*space, rng).value();
      if (auto* candidate = std::get_if<Candidate>(&draw))
        candidates.push_back(std::move(*candidate));
    }
    absl::StatusOr<std::unique_ptr<ValidityOracle>> oracle =
        oracles.For(workload_, MeasurePolicy::kWarm, *space);
    if (!oracle.ok()) return oracle.status();
    absl::StatusOr<std::vector<bool>> valid = (*oracle)->AreValid(candidates);
    elapsed_ = oracles.elapsed();
    return valid;
  }

  const TempDirectory folder_ = TempDirectory::Create().value();
  const Workload workload_ =
      *MakeWorkload("matmul", MatmulReluPipeline(32, 32, 32));
  WorkerMeasurer::Options options_;
  absl::Duration elapsed_;
};

TEST_F(TaskOraclesTest, WhatCompilesIsValid) {
  EXPECT_THAT(Ask(), IsOkAndHolds(Each(true)));
  EXPECT_GT(elapsed_, absl::ZeroDuration());
}

TEST_F(TaskOraclesTest, WhatDoesNotCompileInItsTimeIsNot) {
  options_.compile_timeout = absl::Milliseconds(1);
  EXPECT_THAT(Ask(), IsOkAndHolds(Each(false)));
}

// Also where the next run could not ask at all; but other limits have other
// answers.
TEST_F(TaskOraclesTest, WhatWasSaidIsKept) {
  const TaskOracles::Options keeping = {.cache = folder_.File("answers")};
  ASSERT_THAT(Ask(keeping), IsOkAndHolds(Each(true)));
  options_.command = {"/no/such/program"};
  EXPECT_THAT(Ask(keeping), IsOkAndHolds(Each(true)));
  EXPECT_THAT(Ask(), StatusIs(absl::StatusCode::kInternal));
  options_.compile_timeout = absl::Seconds(61);
  EXPECT_FALSE(Ask(keeping).ok());
}

TEST_F(TaskOraclesTest, NobodyIsAskedWhoIsUnwanted) {
  EXPECT_THAT(Ask({.is_unwanted = [] { return true; }}),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(TaskOraclesTest, WithoutPtxasThereAreNoneForCuda) {
  TaskOracles oracles(SampleGpuTarget(), {.ptxas = "/nowhere/ptxas"});
  EXPECT_THAT(oracles.Start(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("'/nowhere/ptxas', cannot be run")));
}

TEST_F(TaskOraclesTest, AFileThatIsNoneOfItsOwnIsRefused) {
  ASSERT_THAT(WriteFileAtomically(folder_.File("mine"), "a letter"), IsOk());
  EXPECT_THAT(Ask({.cache = folder_.File("mine")}).status().ToString(),
              AllOf(HasSubstr("mine"), HasSubstr("not a record file")));
  EXPECT_EQ(*ReadFile(folder_.File("mine")), "a letter");
}

}  // namespace
}  // namespace pruner
