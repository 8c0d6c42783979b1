#include "models/ops/tasks.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/resnet.h"
#include "models/zoo/tiny.h"
#include "pruner/features/task_flags.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

std::vector<NetworkTask> Tasks(const absl::StatusOr<OperatorGraph>& graph,
                               const FormulationOptions& options = {
                                   .names = {"direct"}}) {
  EXPECT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<PartitionResult> partition =
      PartitionGraph(*Simplify(*graph));
  EXPECT_TRUE(partition.ok()) << partition.status();
  absl::StatusOr<std::vector<NetworkTask>> tasks =
      MakeNetworkTasks(*partition, SampleCpuTarget(), options);
  EXPECT_TRUE(tasks.ok()) << tasks.status();
  return *std::move(tasks);
}

TEST(TasksTest, NamesOfATinyNetwork) {
  std::vector<std::string> names;
  for (const NetworkTask& task : Tasks(Tiny({}))) {
    names.push_back(task.workload.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "conv2d_3x3_s2_16x16x3_8_bias_relu",
                       "max_pool_3x3_s1_8x8x8",
                       "conv2d_3x3_s1_8x8x8_8_bias_relu",
                       "conv2d_3x3_s1_8x8x8_8_bias_add_relu",
                       "conv2d_1x1_s2_8x8x8_16_bias",
                       "conv2d_3x3_s2_8x8x8_16_bias_add_relu",
                       "global_avg_pool_4x4x16",
                       "dense_16_10_bias",
                       "softmax_10",
                   }));
}

TEST(TasksTest, TasksOfResnet50) {
  std::set<std::string> names;
  std::set<WorkloadKey> keys;
  double flops = 0, dag_flops = 0;
  int kernels = 0;
  for (const NetworkTask& task : Tasks(Resnet50({}))) {
    names.insert(task.workload.name);
    keys.insert(task.workload.key);
    flops += task.weight * task.flops;
    dag_flops += task.weight * static_cast<double>(task.workload.dag.Flops());
    kernels += task.weight;
  }
  EXPECT_EQ(kernels, 56);
  EXPECT_EQ(names.size(), 27u);
  EXPECT_EQ(keys.size(), 27u);
  EXPECT_NEAR(flops, 8.2e9, 0.1e9);
  EXPECT_NEAR(dag_flops, flops, 1e-3 * flops);
}

TEST(TasksTest, FormulationsOfASubgraphFollowEachOther) {
  const std::vector<NetworkTask> tasks = Tasks(Tiny({}), {});
  ASSERT_EQ(tasks.size(), 13u);
  EXPECT_EQ(tasks[2].workload.name, "conv2d_3x3_s1_8x8x8_8_bias_relu");
  EXPECT_EQ(tasks[2].formulation, "direct");
  EXPECT_EQ(tasks[3].workload.name,
            "conv2d_3x3_s1_8x8x8_8_bias_relu_winograd_f2");
  EXPECT_EQ(tasks[3].formulation, "winograd_f2");
  EXPECT_EQ(tasks[4].workload.name,
            "conv2d_3x3_s1_8x8x8_8_bias_relu_winograd_f4");
  std::set<WorkloadKey> keys;
  std::vector<int> subgraphs;
  for (const NetworkTask& task : tasks) {
    keys.insert(task.workload.key);
    subgraphs.push_back(task.subgraph);
  }
  EXPECT_EQ(keys.size(), 13u);
  EXPECT_EQ(tasks[2].workload.constants,
            (std::vector<std::string>{"weights", "bias"}));
  EXPECT_EQ(subgraphs,
            (std::vector<int>{0, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8}));
  // What a subgraph is defined to compute, not what Winograd makes of it.
  EXPECT_EQ(tasks[3].flops, tasks[2].flops);
}

TEST(TasksTest, TheFastestFormulationWins) {
  const std::vector<NetworkTask> tasks = Tasks(Tiny({}), {});
  const auto key = [&](int i) { return tasks[i].workload.key; };
  const std::vector<NetworkTask> fastest = FastestTasks(
      tasks, {{key(2), 2.0}, {key(3), 1.0}, {key(4), 3.0}, {key(7), 9.0}},
      MeasurePolicy::kWarm, SampleCpuTarget());
  ASSERT_EQ(fastest.size(), 9u);
  EXPECT_EQ(fastest[2].formulation, "winograd_f2");
  EXPECT_EQ(fastest[2].inputs[1].packing,
            (Packing{.lanes = 8, .winograd_tile = 2}));
  EXPECT_EQ(fastest[3].formulation, "winograd_f4");
  for (const int direct : {0, 1, 4, 5, 6, 7, 8}) {
    EXPECT_EQ(fastest[direct].formulation, "direct");
    EXPECT_EQ(fastest[direct].subgraph, direct);
  }
}

// Where a network's constants do not stay in the caches, larger ones count.
TEST(TasksTest, ConstantsFromMemoryAreCharged) {
  const std::vector<NetworkTask> tasks = Tasks(Tiny({}), {});
  EXPECT_EQ(tasks[2].constant_bytes, (3 * 3 * 8 * 8 + 8) * 4);
  EXPECT_EQ(tasks[3].constant_bytes, (4 * 4 * 8 * 8 + 8) * 4);
  const auto winner = [&](int64_t cache_bytes, double faster_by,
                          MeasurePolicy policy = MeasurePolicy::kWarm) {
    TargetSpec target = SampleCpuTarget();
    target.llc.size_bytes = cache_bytes;
    target.peaks.dram_gb_per_s = 1;
    return FastestTasks(tasks,
                        {{tasks[2].workload.key, 1.0},
                         {tasks[3].workload.key, 1.0 - faster_by}},
                        policy, target)[2]
        .formulation;
  };
  EXPECT_EQ(winner(1 << 20, 1e-6), "winograd_f2");
  EXPECT_EQ(winner(1 << 10, 1e-6), "direct");
  EXPECT_EQ(winner(1 << 10, 2e-6), "winograd_f2");
  // They were when they were timed.
  EXPECT_EQ(winner(1 << 10, 1e-6, MeasurePolicy::kMemory), "winograd_f2");
}

TEST(TasksTest, NamesTellWhatIsUnusualAndAreUnique) {
  GraphBuilder b("net");
  const auto weights = [&](const char* name, const Shape& shape) {
    return b.Constant(name, shape, {RandomValues{}});
  };
  TensorId x = b.Input("x", {2, 9, 9, 8});
  x = b.Conv2d("a", x, weights("wa", {3, 1, 2, 8}),
               {.stride = {2, 1},
                .padding = {1, 1, 1, 1},
                .dilation = {2, 2},
                .groups = 4});
  x = b.AvgPool2d("b", x, {.kernel = {2, 3}});
  x = b.Conv2d("c", x, weights("wc", {1, 1, 8, 8}));
  x = b.Conv2d("d", x, weights("wd", {1, 1, 8, 8}), {.padding = {0, 0, 0, 0}});
  x = b.MaxPool2d("e", x, {.kernel = {2, 2}, .padding = {1, 1, 0, 0}});
  x = b.MaxPool2d("f", x, {.kernel = {2, 2}, .padding = {0, 0, 1, 1}});
  b.Output(b.Apply("s", Softmax{.axis = 1}, {x}));
  std::vector<std::string> names;
  for (const NetworkTask& task : Tasks(std::move(b).Build())) {
    names.push_back(task.workload.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "conv2d_3x1_s2x1_d2_g4_2x9x9x8_8",
                       "avg_pool_2x3_s1_2x4x11x8",
                       "conv2d_1x1_s1_2x3x9x8_8",
                       "max_pool_2x2_s1_2x3x9x8",
                       "max_pool_2x2_s1_2x3x9x8_2",
                       "softmax_axis1_2x3x9x8",
                   }));
}

TEST(TasksTest, LongNamesAreCut) {
  const auto name = [](int relus, const Operator& last) {
    GraphBuilder b("net");
    TensorId x = b.Input("x", {1, 4});
    for (int i = 0; i < relus; ++i) x = b.Relu(absl::StrCat("y", i), x);
    b.Output(b.Apply("last", last, {x}));
    return Tasks(std::move(b).Build())[0].workload.name;
  };
  EXPECT_EQ(name(2, Relu6{}), "relu_4_relu_relu6");
  const std::string cut = name(60, Relu{});
  EXPECT_EQ(cut.size(), 100u);
  EXPECT_TRUE(absl::StartsWith(cut, "relu_4_relu_relu_relu_"));
  EXPECT_NE(cut, name(60, Relu6{}));
}

// The flags that are on, of each task.
std::vector<std::string> Flags(const std::vector<NetworkTask>& tasks) {
  std::vector<std::string> of_tasks;
  for (const NetworkTask& task : tasks) {
    const auto flags = TaskFlagsOf(task.workload.dag);
    std::string on;
    for (int f = 0; f < kTaskFlags; ++f) {
      if (flags[f])
        absl::StrAppend(&on, on.empty() ? "" : " ", kTaskFlagNames[f]);
    }
    of_tasks.push_back(on);
  }
  return of_tasks;
}

TEST(TasksTest, FlagsTellWhatIsComputed) {
  EXPECT_EQ(Flags(Tasks(Tiny({}))),
            (std::vector<std::string>{
                "max add conv2d",  // bias and ReLU
                "max",             // max pooling
                "max add conv2d",
                "max add conv2d",
                "add conv2d",
                "max add conv2d",
                "",  // average pooling
                "add dense",
                "max softmax",
            }));
  GraphBuilder b("net");
  TensorId x = b.Input("x", {1, 16, 16, 16});
  x = b.Conv2d("a", x, b.Constant("wa", {3, 3, 16, 16}, {RandomValues{}}),
               {.padding = {1, 1, 1, 1}});
  b.Output(b.Conv2d("b", x, b.Constant("wb", {3, 3, 1, 16}, {RandomValues{}}),
                    {.stride = {2, 2}, .groups = 16}));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  for (const auto& [formulation, flags] :
       {std::pair("direct", "conv2d"), std::pair("winograd_f2", "winograd")}) {
    EXPECT_EQ(Flags(Tasks(graph, {.max_error = 1, .names = {formulation}})),
              (std::vector<std::string>{flags, "depthwise"}));
  }
}

}  // namespace
}  // namespace pruner
