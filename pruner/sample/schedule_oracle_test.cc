#include "pruner/sample/schedule_oracle.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;

class ScheduleOracleTest : public testing::Test {
 protected:
  Candidate Draw() {
    for (;;) {
      CandidateDraw draw = Sample(*space_, rng_).value();
      if (const auto* candidate = std::get_if<Candidate>(&draw))
        return *candidate;
    }
  }

  const ComputeDag dag_ = MatmulReluDag(64, 64, 64);
  const TargetSpec target_ = SampleCpuTarget();
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create({.dag = dag_, .target = target_}).value();
  Rng rng_ = Rng(1);
};

TEST_F(ScheduleOracleTest, TheJudgeIsAskedAboutTheSchedules) {
  const std::vector<Candidate> candidates = {Draw(), Draw(), Draw()};
  const Schedule second = *space_->ScheduleOf(candidates[1]);
  ScheduleOracle oracle(*space_,
                        [&](absl::Span<const Schedule> schedules)
                            -> absl::StatusOr<std::vector<bool>> {
                          std::vector<bool> valid;
                          for (const Schedule& schedule : schedules)
                            valid.push_back(schedule == second);
                          return valid;
                        });
  EXPECT_THAT(oracle.AreValid(candidates),
              IsOkAndHolds(ElementsAre(false, true, false)));
}

TEST_F(ScheduleOracleTest, ItsErrorsAreTheJudges) {
  ScheduleOracle oracle(
      *space_,
      [](absl::Span<const Schedule>) -> absl::StatusOr<std::vector<bool>> {
        return absl::UnavailableError("no assembler");
      });
  EXPECT_THAT(oracle.AreValid({Draw()}),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(ScheduleOracleTest, KeysAreOfAllThatMatters) {
  const Candidate one = Draw(), other = Draw();
  const auto key = [&](const Candidate& candidate, uint64_t workload,
                       const std::string& judge) {
    return JudgementKey(*space_, {workload}, judge, candidate).value();
  };
  const uint64_t usual = key(one, 1, "1.0");
  EXPECT_EQ(usual, key(one, 1, "1.0"));
  EXPECT_NE(usual, key(other, 1, "1.0"));
  EXPECT_NE(usual, key(one, 2, "1.0"));
  EXPECT_NE(usual, key(one, 1, "1.1"));
  TargetSpec target = target_;
  target.units.cores *= 2;
  const auto elsewhere =
      ScheduleSpace::Create({.dag = dag_, .target = target}).value();
  EXPECT_NE(usual, *JudgementKey(*elsewhere, {1}, "1.0", one));
}

}  // namespace
}  // namespace pruner
