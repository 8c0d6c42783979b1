// Imported networks compute what ONNX's own tests say: each test of an operator
// is passed, or is in onnx_unsupported.txt with the reason. To write that file
// anew, where more or less has become supported:
//
//   UPDATE_GOLDENS=1 bazel run //models/job:onnx_conformance_test
#include <cmath>
#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "halide_ext/build/sample_host_target.h"
#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/importer.h"
#include "models/onnx/node_test_case.h"
#include "models/onnx/node_tests.pb.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "models/rewrite/simplify.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/network.h"
#include "models/runtime/verify.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"

namespace pruner {
namespace {

constexpr char kUnsupported[] = "models/job/onnx_unsupported.txt";
constexpr int kLeastSupported = 620;

const proto::OnnxNodeTests& AllTests() {
  static const proto::OnnxNodeTests* const kTests = new proto::OnnxNodeTests(
      ReadOnnxNodeTests("models/onnx/node_tests.binpb").value());
  return *kTests;
}

// Reasons by the tests' names.
using Reasons = std::map<std::string, std::string>;

Reasons ReadReasons() {
  Reasons reasons;
  const std::string text = ReadFile(kUnsupported).value();
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    reasons.insert(absl::StrSplit(line, absl::MaxSplits(": ", 1)));
  }
  return reasons;
}

std::string ReasonsText(const Reasons& reasons) {
  std::string text;
  for (const auto& [name, reason] : reasons)
    absl::StrAppend(&text, name, ": ", reason, "\n");
  return text;
}

// Nothing, if the test can be run.
std::optional<std::string> WhyNot(const absl::StatusOr<OnnxNodeCase>& node_case,
                                  const absl::StatusOr<OperatorGraph>& graph) {
  if (!node_case.ok()) return std::string(node_case.status().message());
  for (const TypedArray& output : node_case->outputs) {
    for (const double value : output.array.values) {
      if (!std::isfinite(value)) return "its results are not all finite";
    }
  }
  if (!graph.ok()) return std::string(graph.status().message());
  return std::nullopt;
}

absl::StatusOr<Network> Compile(const OperatorGraph& graph) {
  ASSIGN_OR_RETURN(const OperatorGraph simplified, Simplify(graph));
  ASSIGN_OR_RETURN(const PartitionResult partition, PartitionGraph(simplified));
  ASSIGN_OR_RETURN(
      const std::vector<NetworkTask> tasks,
      MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}}));
  ASSIGN_OR_RETURN(const SchedulesByWorkload schedules,
                   DefaultSchedules(tasks, SampleHostTarget()));
  return Network::Build(simplified, partition, tasks, schedules,
                        SampleHostTarget(), {.compile_threads = 2});
}

absl::StatusOr<std::vector<std::vector<double>>> Interpret(
    const OperatorGraph& graph, const std::vector<Array>& inputs) {
  ASSIGN_OR_RETURN(std::vector<Array> arrays, RunGraph(graph, inputs));
  std::vector<std::vector<double>> outputs;
  for (Array& array : arrays) outputs.push_back(std::move(array.values));
  return outputs;
}

class OnnxConformanceTest
    : public ::testing::TestWithParam<const proto::OnnxNodeTest*> {
 public:
  // Those that were not run.
  static Reasons& found() {
    static Reasons* const kReasons = new Reasons();
    return *kReasons;
  }

  static void TearDownTestSuite() {
    Table table({{"operators' tests", Table::Align::kLeft}, {"number"}});
    const auto& suite =
        *::testing::UnitTest::GetInstance()->current_test_suite();
    const auto unsupported = static_cast<int>(found().size());
    table.AddRow(
        {"passed", absl::StrCat(suite.successful_test_count() - unsupported)});
    table.AddRow({"failed", absl::StrCat(suite.failed_test_count())});
    table.AddRow({"not supported", absl::StrCat(unsupported)});
    std::cout << table.ToString();
    const auto workspace = GetEnv("BUILD_WORKSPACE_DIRECTORY");
    if (!GetEnv("UPDATE_GOLDENS") || !workspace) return;
    EXPECT_TRUE(WriteFileAtomically(absl::StrCat(*workspace, "/", kUnsupported),
                                    ReasonsText(found()))
                    .ok());
  }

 protected:
  void ExpectOutput(const TypedArray& expected,
                    const std::vector<double>& got) {
    const std::vector<double>& values = expected.array.values;
    ASSERT_EQ(got.size(), values.size());
    const bool is_exact = expected.type != DataType::kFloat32;
    for (size_t i = 0; i < got.size(); ++i) {
      const double tolerance =
          is_exact ? 0
                   : GetParam()->absolute_tolerance() +
                         GetParam()->relative_tolerance() * std::abs(values[i]);
      // Not true of what is no number, either.
      ASSERT_TRUE(std::abs(got[i] - values[i]) <= tolerance)
          << "element " << i << " is " << got[i] << ", not " << values[i];
    }
  }

  void ExpectOutputs(
      const OnnxNodeCase& node_case,
      const absl::StatusOr<std::vector<std::vector<double>>>& got) {
    ASSERT_TRUE(got.ok()) << got.status();
    ASSERT_EQ(got->size(), node_case.outputs.size());
    for (size_t i = 0; i < got->size(); ++i) {
      SCOPED_TRACE(absl::StrCat("output ", i));
      ExpectOutput(node_case.outputs[i], (*got)[i]);
    }
  }
};

TEST_P(OnnxConformanceTest, ComputesWhatItShould) {
  const absl::StatusOr<OnnxNodeCase> node_case = MakeOnnxNodeCase(*GetParam());
  const absl::StatusOr<OperatorGraph> graph =
      node_case.ok() ? ImportOnnxGraph(node_case->graph) : node_case.status();
  const std::optional<std::string> why_not = WhyNot(node_case, graph);
  static const Reasons* const kKnown = new Reasons(ReadReasons());
  const auto listed = kKnown->find(GetParam()->name());
  if (why_not.has_value()) {
    found()[GetParam()->name()] = *why_not;
    if (GetEnv("UPDATE_GOLDENS")) return;
    ASSERT_NE(listed, kKnown->end()) << *why_not;
    EXPECT_EQ(*why_not, listed->second);
    return;
  }
  if (!GetEnv("UPDATE_GOLDENS")) {
    EXPECT_EQ(listed, kKnown->end()) << "it is supported, but listed";
  }
  std::vector<Array> inputs;
  for (const TypedArray& input : node_case->inputs)
    inputs.push_back(input.array);
  ASSERT_EQ(graph->outputs.size(), node_case->outputs.size());
  for (size_t i = 0; i < graph->outputs.size(); ++i) {
    const TypedArray& expected = node_case->outputs[i];
    ASSERT_EQ(graph->ShapeOf(graph->outputs[i]), expected.array.shape);
    ASSERT_EQ(graph->TypeOf(graph->outputs[i]), expected.type);
  }
  {
    SCOPED_TRACE("interpreted");
    ExpectOutputs(*node_case, Interpret(*graph, inputs));
  }
  SCOPED_TRACE("compiled");
  absl::StatusOr<Network> network = Compile(*graph);
  ASSERT_TRUE(network.ok()) << network.status();
  ExpectOutputs(*node_case, RunOnArrays(*network, inputs));
}

std::vector<const proto::OnnxNodeTest*> Pointers() {
  std::vector<const proto::OnnxNodeTest*> pointers;
  for (const proto::OnnxNodeTest& test : AllTests().tests())
    pointers.push_back(&test);
  return pointers;
}

INSTANTIATE_TEST_SUITE_P(All, OnnxConformanceTest,
                         ::testing::ValuesIn(Pointers()),
                         [](const auto& info) { return info.param->name(); });

TEST(OnnxUnsupportedTest, NamesTestsInOrderAndNotTooMany) {
  const Reasons reasons = ReadReasons();
  EXPECT_EQ(ReadFile(kUnsupported).value(), ReasonsText(reasons));
  size_t named = 0;
  for (const proto::OnnxNodeTest& test : AllTests().tests())
    named += reasons.count(test.name());
  EXPECT_EQ(named, reasons.size());
  EXPECT_GE(AllTests().tests_size() - static_cast<int>(named), kLeastSupported);
}

}  // namespace
}  // namespace pruner
