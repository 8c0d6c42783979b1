#include "pruner/record/legacy_log.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Workload Matmul() { return {"matmul", "pipeline", MatmulReluDag(4, 8, 16)}; }
Workload Pool() { return {"pool", "pipeline", MaxPoolDag(9, 8)}; }

LegacyRecord Record(uint64_t hash, int64_t trial) {
  return {.workload_hash = hash,
          .workload_name = "a",
          .schedule = {.steps = {ComputeRootStep{.stage = 2}}},
          .result = {.seconds = {1}},
          .seed = 5,
          .trial = trial,
          .time = absl::FromUnixSeconds(trial)};
}

class ConvertLegacyTest : public testing::Test {
 protected:
  ConvertLegacyTest() {
    log_.header = {.model = "tiny",
                   .target = target_.name,
                   .target_fingerprint = LegacyTargetFingerprint(target_)};
    log_.records = {Record(LegacyWorkloadHash(Matmul().dag), 0),
                    Record(LegacyWorkloadHash(Pool().dag), 1),
                    Record(LegacyWorkloadHash(Matmul().dag), 2)};
  }

  absl::StatusOr<std::vector<MeasureRecord>> Convert(
      const std::vector<Workload>& workloads) {
    notes_.clear();
    return ConvertLegacy(log_, workloads, target_, notes_);
  }

  TargetSpec target_ = SampleCpuTarget();
  LegacyLog log_;
  std::vector<std::string> notes_;
};

TEST_F(ConvertLegacyTest, RecordsGetTheKeysOfToday) {
  // The same workload twice is no ambiguity.
  const auto records = Convert({Pool(), Matmul(), Matmul()});
  ASSERT_THAT(records, IsOk());
  ASSERT_THAT(*records, SizeIs(3));
  EXPECT_EQ((*records)[1], (MeasureRecord{.workload = Pool().key,
                                          .target = TargetKeyOf(target_),
                                          .measure_policy = kWarm,
                                          .run = 0,
                                          .schedule = log_.records[1].schedule,
                                          .result = log_.records[1].result,
                                          .trial = 1,
                                          .time = absl::FromUnixSeconds(1)}));
  EXPECT_EQ((*records)[2].workload, Matmul().key);
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(ConvertLegacyTest, WhatCannotBeToldIsLeftOut) {
  // Another order of the same operations: format 1 knew no difference.
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[3].ops = {};
  stages[2].ops = {};
  const Workload one("one", "", *ComputeDag::Create(stages));
  stages[3].name = "two";
  Workload two("two", "", *ComputeDag::Create(stages));
  two.key.value ^= 1;  // as if its key saw what the hash does not
  log_.records.push_back(Record(LegacyWorkloadHash(one.dag), 3));
  const auto records = Convert({Matmul(), one, two});
  ASSERT_THAT(records, IsOk());
  EXPECT_THAT(*records, SizeIs(2));
  EXPECT_THAT(notes_,
              ElementsAre(AllOf(HasSubstr("2 of the 4 records"),
                                HasSubstr("1 are of no workload that this"),
                                HasSubstr("1 of one of several"))));
}

TEST_F(ConvertLegacyTest, TimesOfAnotherTargetAreRefused) {
  target_.units.cores = 64;
  EXPECT_THAT(Convert({Matmul()}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("holds records of target 'sample-2c'")));
}

TEST_F(ConvertLegacyTest, WithoutAHeaderTheCallerIsBelieved) {
  log_.header.reset();
  const auto records = Convert({Matmul(), Pool()});
  ASSERT_THAT(records, IsOk());
  EXPECT_THAT(*records, SizeIs(3));
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("taken to be of sample-2c")));
}

}  // namespace
}  // namespace pruner
