#include "pruner/tune/tuning_task.h"

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

// A and B of C[32,16] = A[32,8] * B[8,16].
TEST(TuningTaskTest, OnlyConstantsFromMemoryAreStreamed) {
  TuningTask task = {
      .workload = Workload("matmul", "", MatmulReluDag(32, 16, 8)),
      .measure_policy = MeasurePolicy::kMemory};
  EXPECT_EQ(task.StreamedBytes(), 0);
  task.workload.constants = {"B"};
  EXPECT_EQ(task.StreamedBytes(), 8 * 16 * 4);
  task.workload.constants = {"A", "B"};
  EXPECT_EQ(task.StreamedBytes(), (32 * 8 + 8 * 16) * 4);
  task.measure_policy = MeasurePolicy::kLlc;
  EXPECT_EQ(task.StreamedBytes(), 0);
}

}  // namespace
}  // namespace pruner
