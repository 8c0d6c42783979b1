#include "models/runtime/verify_formulations.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/sample_host_target.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "models/ops/pipeline_builder.h"
#include "models/ops/winograd.h"
#include "models/ops/winograd_matrices.h"
#include "models/rewrite/simplify.h"
#include "models/runtime/default_schedules.h"
#include "models/zoo/tiny.h"

namespace pruner {
namespace {

// A convolution whose image is no whole number of tiles.
PartitionResult Convolution() {
  GraphBuilder b("convolution");
  const TensorId x = b.Input("x", {1, 7, 7, 8});
  const TensorId w =
      b.Constant("w", {3, 3, 8, 8}, {RandomValues{.seed = 1, .low = -1}});
  b.Output(
      b.Relu("y", b.Conv2d("conv", x, w, Conv2d{.padding = {1, 1, 1, 1}})));
  return *PartitionGraph(*std::move(b).Build());
}

TEST(VerifyFormulationsTest, RoundingIsNoError) {
  const PartitionResult partition = *PartitionGraph(*Simplify(*Tiny({})));
  const std::vector<NetworkTask> tasks = *MakeNetworkTasks(
      partition, SampleHostTarget(),
      {.names = {"direct", "winograd_f2", "winograd_f4", "im2col", "nchwc"}});
  EXPECT_GT(tasks.size(), partition.subgraphs.size());
  const std::vector<FormulationCheck> checks = VerifyFormulations(
      partition, tasks, *DefaultSchedules(tasks, SampleHostTarget()),
      SampleHostTarget(), {.threads = 2});
  ASSERT_EQ(checks.size(), tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_TRUE(checks[i].status.ok())
        << tasks[i].workload.name << ": " << checks[i].status;
    EXPECT_LE(checks[i].error, tasks[i].tolerance) << tasks[i].workload.name;
  }
}

// Sums that are in the tens become numbers below 1.
TEST(VerifyFormulationsTest, RoundingBeforeABoundedRangeIsNoError) {
  GraphBuilder b("squashed");
  const TensorId w = b.Constant("w", {2048, 64}, {RandomValues{.low = -1}});
  const TensorId sums = b.Dense("sums", b.Input("x", {64, 2048}), w);
  b.Output(b.Apply("y", Tanh{}, {sums}));
  const PartitionResult partition = *PartitionGraph(*std::move(b).Build());
  const std::vector<NetworkTask> tasks =
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}});
  const std::vector<FormulationCheck> checks = VerifyFormulations(
      partition, tasks, *DefaultSchedules(tasks, SampleHostTarget()),
      SampleHostTarget());
  ASSERT_EQ(checks.size(), 1);
  EXPECT_TRUE(checks[0].status.ok()) << checks[0].status;
}

// The check of Winograd's convolution with a matrix that has one entry wrong.
FormulationCheck CheckWith(const WinogradMatrices& matrices) {
  const PartitionResult partition = Convolution();
  std::vector<NetworkTask> tasks = *MakeNetworkTasks(
      partition, SampleHostTarget(),
      {.names = {matrices.output.size() == 2 ? "winograd_f2" : "winograd_f4"}});
  PipelineBuilder builder(partition.subgraphs[0].subgraph,
                          SampleHostTarget().units.simd_lanes);
  const OpPipeline op = BuildWinograd(matrices, builder);
  tasks[0].workload = *MakeWorkload("wrong", op.pipeline);
  EXPECT_EQ(tasks[0].inputs, op.inputs);
  return VerifyFormulations(partition, tasks,
                            *DefaultSchedules(tasks, SampleHostTarget()),
                            SampleHostTarget())[0];
}

TEST(VerifyFormulationsTest, AWrongEntryInAWinogradMatrix) {
  for (const int64_t tile : {2, 4}) {
    const WinogradMatrices right = WinogradMatricesOf(tile);
    EXPECT_TRUE(CheckWith(right).status.ok());
    // Some entries of each row are enough for the test's time.
    for (size_t row = 0; row < right.input.size(); ++row) {
      WinogradMatrices wrong = right;
      wrong.input[row][row] += 0.01;
      SCOPED_TRACE(testing::Message() << tile << ", input " << row);
      const FormulationCheck check = CheckWith(wrong);
      EXPECT_TRUE(absl::IsInternal(check.status)) << check.error;
      EXPECT_GT(check.error, 2e-4);
    }
    for (size_t row = 0; row < right.output.size(); ++row) {
      WinogradMatrices wrong = right;
      wrong.output[row][row] += 0.01;
      SCOPED_TRACE(testing::Message() << tile << ", output " << row);
      EXPECT_TRUE(absl::IsInternal(CheckWith(wrong).status));
    }
  }
}

TEST(VerifyFormulationsTest, WhatCannotBeCompiledIsNoOthersMisfortune) {
  const PartitionResult partition = Convolution();
  const std::vector<NetworkTask> tasks = *MakeNetworkTasks(
      partition, SampleHostTarget(), {.names = {"direct", "winograd_f2"}});
  SchedulesByWorkload schedules = *DefaultSchedules(tasks, SampleHostTarget());
  schedules.erase(tasks[0].workload.key);
  const std::vector<FormulationCheck> checks =
      VerifyFormulations(partition, tasks, schedules, SampleHostTarget());
  EXPECT_TRUE(absl::IsNotFound(checks[0].status)) << checks[0].status;
  EXPECT_TRUE(checks[1].status.ok()) << checks[1].status;
}

}  // namespace
}  // namespace pruner
