// What is stored has to stay readable and the same; see testdata/README.md.
// Logs: pruner/record/golden_log_test.cc.
#include "tools/tests/golden.h"

#include <string>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "models/graph/graph_text.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/zoo.h"
#include "pruner/target/sample_targets.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

constexpr char kTest[] = "//tools/tests:golden_test";

TEST(GoldenTest, TinyNetwork) {
  const auto tiny = LoadModel("tiny", {.batch = 1, .seed = 0});
  ASSERT_TRUE(tiny.ok()) << tiny.status();
  ExpectGolden(kTest, "testdata/tiny.txtpb", PrintGraph(*tiny));
  const auto from_file = LoadModel("testdata/tiny.txtpb", {.batch = 1});
  ASSERT_TRUE(from_file.ok()) << from_file.status();
  EXPECT_EQ(PrintGraph(*from_file), PrintGraph(*tiny));
}

TEST(GoldenTest, TasksOfResnet50) {
  const auto original = LoadModel("resnet50", {.batch = 1, .seed = 0});
  ASSERT_TRUE(original.ok()) << original.status();
  const auto graph = Simplify(*original);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto partition = PartitionGraph(*graph);
  ASSERT_TRUE(partition.ok()) << partition.status();
  const auto tasks = MakeNetworkTasks(*partition, SampleCpuTarget());
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  std::string text = "# name, weight, FLOPs of one execution\n";
  for (const NetworkTask& task : *tasks) {
    absl::StrAppendFormat(&text, "%s %d %.0f\n", task.workload.name,
                          task.weight, task.flops);
  }
  ExpectGolden(kTest, "testdata/resnet50_tasks.txt", text);
}

}  // namespace
}  // namespace pruner
