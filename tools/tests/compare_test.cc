// tune --compare, on a network of one kernel.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/graph/graph_text.h"
#include "pruner/base/os/files.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

class CompareTest : public testing::Test {
 protected:
  void SetUp() override {
    GraphBuilder graph("one kernel");
    const TensorId input = graph.Input("input", {1, 64});
    const TensorId weights =
        graph.Constant("weights", {64, 32}, {RandomValues{.seed = 1}});
    graph.Output(graph.Relu("relu", graph.Dense("dense", input, weights)));
    const auto built = std::move(graph).Build();
    ASSERT_TRUE(built.ok()) << built.status();
    ASSERT_EQ(
        WriteFileAtomically(user_.File("dense.txtpb"), PrintGraph(*built)),
        absl::OkStatus());
  }

  proto::Summary Tune(const std::string& compare) {
    const CommandResult result = user_.Run(
        "tune", {"--model=dense.txtpb", "--output_dir=out", "--trials=2",
                 "--cost_model=gbdt", "--compare=" + compare});
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_EQ(result.stderr_text, "");
    stdout_ = result.stdout_text;
    return ReadSummaryOrDie(user_.File("out"));
  }

  Workplace user_;
  std::string stdout_;
};

TEST_F(CompareTest, MeasuresHalidesAutoschedulers) {
  const std::vector<std::string> names = {"adams2019", "li2018",
                                          "mullapudi2016"};
  const proto::Summary summary = Tune("adams2019,li2018,mullapudi2016");
  ASSERT_EQ(summary.tasks_size(), 1);
  const proto::TaskSummary& task = summary.tasks(0);
  EXPECT_EQ(task.compare_failures_size(), 0);
  ASSERT_EQ(task.compare_ms_size(), 3);
  for (const std::string& name : names) {
    EXPECT_GT(task.compare_ms().at(name), 0) << name;
    EXPECT_THAT(stdout_, HasSubstr("\n" + name + " on " + task.name() + ": "));
    EXPECT_THAT(stdout_, HasSubstr("  " + name + " ms"));
  }
  EXPECT_EQ(summary.trials(), 2);  // they are no trials of the search
}

TEST_F(CompareTest, AFailureIsShown) {
  const std::string plugins = user_.File("runfiles/halide/halide/lib64");
  ASSERT_EQ(MakeDirectories(plugins), absl::OkStatus());
  ASSERT_EQ(WriteFileAtomically(plugins + "/libautoschedule_adams2019.so",
                                "no library"),
            absl::OkStatus());
  user_.environment = {{"RUNFILES_DIR", user_.File("runfiles")}};
  const proto::Summary summary = Tune("adams2019");
  ASSERT_EQ(summary.tasks_size(), 1);
  const proto::TaskSummary& task = summary.tasks(0);
  EXPECT_EQ(task.compare_ms_size(), 0);
  ASSERT_EQ(task.compare_failures_size(), 1);
  EXPECT_THAT(task.compare_failures().at("adams2019"), HasSubstr(plugins));
  EXPECT_THAT(stdout_, HasSubstr(" failed\n"));
  EXPECT_GT(summary.network_latency_ms(), 0);
}

TEST_F(CompareTest, WithoutThePluginItDoesNotStart) {
  user_.environment = {{"RUNFILES_DIR", user_.File("")}};
  const CommandResult result =
      user_.Run("tune", {"--model=dense.txtpb", "--output_dir=out",
                         "--cost_model=gbdt", "--compare=adams2019"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.stdout_text, "");
  EXPECT_THAT(result.stderr_text,
              HasSubstr("halide/lib64/libautoschedule_adams2019.so"));
  EXPECT_FALSE(FileExists(user_.File("out")));
}

}  // namespace
}  // namespace pruner
