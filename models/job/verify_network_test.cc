#include "models/job/verify_network.h"

#include <algorithm>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/sample_host_target.h"
#include "models/ops/formulation.h"
#include "models/ops/op_pipeline.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/verify_formulations.h"
#include "models/zoo/resnet.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// Small images keep it short: the last stage has 2 x 2 pixels.
constexpr int kImageSize = 64;

NetworkJob Resnet50Job(const std::vector<std::string>& formulations) {
  return *MakeNetworkJob("resnet50", /*batch=*/1,
                         *Resnet50({.seed = 1}, kImageSize), SampleHostTarget(),
                         {.names = formulations});
}

absl::StatusOr<NetworkErrors> Verify(const NetworkJob& job,
                                     const std::vector<NetworkTask>& tasks) {
  absl::StatusOr<Network> network = Network::Build(
      job.graph, job.partition, tasks, *DefaultSchedules(tasks, job.target),
      job.target, {.threads = 2, .compile_threads = 2});
  EXPECT_TRUE(network.ok()) << network.status();
  return VerifyNetwork(job, tasks, /*seed=*/1, *network);
}

// Adds 0.5 to one pixel of one channel.
Halide::Func WithAWrongPixel(const Halide::Func& right) {
  const std::vector<Halide::Var> vars = right.args();
  const std::vector<Halide::Expr> args(vars.begin(), vars.end());
  Halide::Expr is_wrong = args[0] == 5;
  for (size_t i = 1; i < args.size(); ++i) is_wrong = is_wrong && args[i] == 0;
  Halide::Func wrong(Halide::Internal::Function("wrong"));
  wrong(vars) = right(args) + Halide::select(is_wrong, 0.5f, 0.0f);
  const Halide::Parameter& output = right.function().output_buffers()[0];
  for (int d = 0; d < wrong.dimensions(); ++d) {
    wrong.output_buffer()
        .dim(d)
        .set_bounds(0, output.extent_constraint(d))
        .set_stride(output.stride_constraint(d));
  }
  return wrong;
}

// The task's kernel computes that instead.
void MakeWrong(const NetworkJob& job, NetworkTask& task) {
  const Subgraph& subgraph = job.partition.subgraphs[task.subgraph].subgraph;
  const OpPipeline op = *BuildPipeline(subgraph, job.target);
  task.workload =
      *MakeWorkload(task.workload.name,
                    WithAWrongPixel(Halide::Func(op.pipeline.outputs()[0])));
}

TEST(VerifyNetworkTest, Resnet50) {
  const NetworkJob job = Resnet50Job({"direct"});
  const absl::StatusOr<NetworkErrors> right = Verify(job, job.tasks);
  ASSERT_TRUE(right.ok()) << right.status();
  EXPECT_EQ(right->problem, "");
  EXPECT_GT(right->max_absolute, 0);
  EXPECT_LT(right->max_relative, 1e-5);

  std::vector<NetworkTask> tasks = job.tasks;
  const auto last =
      std::find_if(tasks.rbegin(), tasks.rend(), [](const NetworkTask& task) {
        return absl::StartsWith(task.workload.name, "conv2d");
      });
  ASSERT_NE(last, tasks.rend());
  EXPECT_THAT(last->workload.name, HasSubstr("_2x2x"));
  MakeWrong(job, *last);
  const absl::StatusOr<NetworkErrors> wrong = Verify(job, tasks);
  ASSERT_TRUE(wrong.ok()) << wrong.status();
  EXPECT_EQ(wrong->wrong_kernel, last->workload.name);
  EXPECT_THAT(wrong->problem, HasSubstr("what " + last->workload.name));
  EXPECT_THAT(wrong->problem, HasSubstr("most at element 5;"));
}

TEST(VerifyNetworkTest, AllFormulationsOfResnet50) {
  const NetworkJob job = Resnet50Job(FormulationNames());
  EXPECT_GT(job.tasks.size(), 2 * job.partition.subgraphs.size());
  const std::vector<FormulationCheck> checks = VerifyFormulations(
      job.partition, job.tasks, *DefaultSchedules(job.tasks, job.target),
      job.target, {.threads = 2});
  for (size_t i = 0; i < checks.size(); ++i) {
    EXPECT_TRUE(checks[i].status.ok())
        << job.tasks[i].workload.name << ": " << checks[i].status;
  }
}

}  // namespace
}  // namespace pruner
