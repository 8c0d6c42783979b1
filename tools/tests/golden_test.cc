// What is stored has to stay readable and the same; see testdata/README.md.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_text.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/zoo.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/record/record_log.h"
#include "pruner/target/sample_targets.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kTinyLog[] = "testdata/logs/tiny.log";
constexpr char kTornLog[] = "testdata/logs/tiny_torn.log";
constexpr size_t kRecords = 10;

// Compares with a file, or writes it if that is asked for.
void ExpectGolden(const std::string& file, const std::string& actual) {
  const auto workspace = GetEnv("BUILD_WORKSPACE_DIRECTORY");
  if (GetEnv("UPDATE_GOLDENS") && workspace) {
    ASSERT_EQ(WriteFileAtomically(absl::StrCat(*workspace, "/", file), actual),
              absl::OkStatus());
    return;
  }
  EXPECT_EQ(ReadFileOrDie(file), actual)
      << "if that is meant: UPDATE_GOLDENS=1 bazel run "
         "//tools/tests:golden_test";
}

TEST(GoldenTest, TinyNetwork) {
  const auto tiny = LoadModel("tiny", {.batch = 1, .seed = 0});
  ASSERT_TRUE(tiny.ok()) << tiny.status();
  ExpectGolden("testdata/tiny.txtpb", PrintGraph(*tiny));
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
  ExpectGolden("testdata/resnet50_tasks.txt", text);
}

TEST(GoldenTest, LogIsReadAndWrittenAsEver) {
  const LogContents log = ReadLogOrDie(kTinyLog);
  EXPECT_THAT(log.notes, ElementsAre());
  EXPECT_EQ(log.unreadable, 0);
  EXPECT_EQ(log.header.model, "tiny");
  EXPECT_EQ(log.header.batch, 1);
  ASSERT_EQ(log.records.size(), kRecords);
  for (const MeasureRecord& record : log.records) {
    const auto parsed = ParseRecord(PrintRecord(record));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, record);
  }
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string copy = folder->File("copy.log");
  {
    auto written = RecordLog::Open(copy, log.header);
    ASSERT_TRUE(written.ok()) << written.status();
    for (const MeasureRecord& record : log.records)
      ASSERT_EQ(written->log.Append(record), absl::OkStatus());
  }
  // Not EXPECT_EQ, which would print them.
  EXPECT_TRUE(ReadFileOrDie(copy) == ReadFileOrDie(kTinyLog));
}

TEST(GoldenTest, TornLogLosesOneRecord) {
  const LogContents whole = ReadLogOrDie(kTinyLog);
  const LogContents torn = ReadLogOrDie(kTornLog);
  EXPECT_THAT(torn.notes, ElementsAre(HasSubstr(" dropped: ")));
  EXPECT_EQ(torn.header, whole.header);
  ASSERT_EQ(torn.records.size(), kRecords - 1);
  for (size_t i = 0; i < torn.records.size(); ++i)
    EXPECT_EQ(torn.records[i], whole.records[i]);

  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string copy = folder->File("copy.log");
  ASSERT_EQ(WriteFileAtomically(copy, ReadFileOrDie(kTornLog)),
            absl::OkStatus());
  auto opened = RecordLog::Open(copy, torn.header);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->contents.records.size(), kRecords - 1);
  ASSERT_EQ(opened->log.Append(whole.records.back()), absl::OkStatus());
  EXPECT_TRUE(ReadFileOrDie(copy) == ReadFileOrDie(kTinyLog));
}

}  // namespace
}  // namespace pruner
