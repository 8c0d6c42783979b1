// Einsums as graphs, beside sums over all that the labels may be.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/einsum_equation.h"
#include "models/onnx/importer.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/onnx_node.h"
#include "models/operators/shape.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

struct EinsumCase {
  std::string equation;
  std::vector<Shape> shapes;
};

// Of inputs, the last of which is a constant if so asked for.
absl::StatusOr<OperatorGraph> Import(const EinsumCase& test,
                                     const std::vector<Array>& inputs,
                                     bool is_last_known) {
  OnnxGraph graph{.opset = 18};
  OnnxNode node{.name = "node", .op_type = "Einsum"};
  node.attributes["equation"] = test.equation;
  node.outputs = {"y"};
  for (size_t i = 0; i < test.shapes.size(); ++i) {
    const std::string name = absl::StrCat("x", i);
    node.inputs.push_back(name);
    if (is_last_known && i + 1 == test.shapes.size()) {
      graph.initializers[name] = {
          .dims = test.shapes[i],
          .floats = std::make_shared<std::vector<float>>(
              inputs[i].values.begin(), inputs[i].values.end())};
      continue;
    }
    std::vector<OnnxDim> dims;
    for (const int64_t extent : test.shapes[i])
      dims.push_back({.extent = extent});
    graph.inputs.push_back({.name = name, .dims = dims});
  }
  graph.outputs.push_back({.name = "y"});
  graph.nodes.push_back(std::move(node));
  return ImportOnnxGraph(graph);
}

// A whole number of each element, so that sums are exact.
std::vector<Array> Inputs(const EinsumCase& test) {
  std::vector<Array> inputs;
  int64_t value = 0;
  for (const Shape& shape : test.shapes) {
    Array& array = inputs.emplace_back(Array{shape, {}});
    for (int64_t i = 0; i < NumElements(shape); ++i)
      array.values.push_back(static_cast<double>(value++ * 7 % 11 - 5));
  }
  return inputs;
}

// The element of these labels' values; an extent of 1 has one for all.
double ElementAt(const Array& array, const EinsumLabels& labels,
                 const std::map<int, int64_t>& at) {
  int64_t index = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const int64_t extent = array.shape[i];
    index = index * extent + (extent == 1 ? 0 : at.at(labels[i]));
  }
  return array.values[index];
}

// By the definition.
Array Expected(const EinsumEquation& equation,
               const std::vector<Array>& inputs) {
  std::map<int, int64_t> extents, at;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t d = 0; d < equation.inputs[i].size(); ++d) {
      int64_t& extent = extents[equation.inputs[i][d]];
      extent = std::max(extent, inputs[i].shape[d]);
      at[equation.inputs[i][d]] = 0;
    }
  }
  Array output;
  for (const int label : equation.output)
    output.shape.push_back(extents[label]);
  output.values.resize(NumElements(output.shape));
  for (bool is_done = false; !is_done;) {
    double product = 1;
    for (size_t i = 0; i < inputs.size(); ++i)
      product *= ElementAt(inputs[i], equation.inputs[i], at);
    int64_t index = 0;
    for (const int label : equation.output)
      index = index * extents[label] + at[label];
    output.values[index] += product;
    is_done = true;
    for (auto& [label, value] : at) {
      if (++value < extents[label]) {
        is_done = false;
        break;
      }
      value = 0;
    }
  }
  return output;
}

TEST(ConvertEinsumTest, AsDefined) {
  for (const EinsumCase& test : std::vector<EinsumCase>{
           {"ij->ji", {{2, 3}}},
           {"ij->", {{2, 3}}},
           {"ij->i", {{2, 3}}},
           {"ii->i", {{3, 3}}},
           {"ii", {{3, 3}}},
           {"...ii->...i", {{2, 3, 3}}},
           {"iji->j", {{3, 2, 3}}},
           {"iii->i", {{2, 2, 2}}},
           {"i,i", {{4}, {4}}},
           {"i,j->ij", {{2}, {3}}},
           {"i,j->ji", {{2}, {3}}},
           {"ij,ij->ij", {{2, 3}, {2, 3}}},
           {"ij,j->i", {{2, 3}, {3}}},
           {"ij,jk->ik", {{2, 3}, {3, 4}}},
           {"ij,jk->ki", {{2, 3}, {3, 4}}},
           {"bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}},
           {"bhqd,bhkd->bhqk", {{2, 3, 4, 5}, {2, 3, 2, 5}}},
           {"bqhd,bkhd->bhqk", {{2, 4, 3, 5}, {2, 2, 3, 5}}},
           {"bhqk,bkhd->bqhd", {{2, 3, 4, 2}, {2, 2, 3, 5}}},
           {"jbi,jbk->bik", {{4, 2, 3}, {4, 2, 5}}},
           {"abc,cde->abde", {{2, 3, 4}, {4, 2, 3}}},
           {"ija,jkb->ik", {{2, 3, 2}, {3, 4, 3}}},
           {"...ij,...jk->...ik", {{2, 1, 3, 4}, {5, 4, 2}}},
           {"...ij,jk->...ik", {{2, 3, 4}, {4, 2}}},
           {"ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 2}}},
           {"a,ab,abc->abc", {{2}, {2, 3}, {2, 3, 4}}},
       }) {
    SCOPED_TRACE(test.equation);
    std::vector<int64_t> ranks;
    for (const Shape& shape : test.shapes)
      ranks.push_back(static_cast<int64_t>(shape.size()));
    const std::vector<Array> inputs = Inputs(test);
    const Array expected = Expected(*ParseEinsum(test.equation, ranks), inputs);
    for (const bool is_last_known : {false, true}) {
      const absl::StatusOr<OperatorGraph> graph =
          Import(test, inputs, is_last_known);
      ASSERT_TRUE(graph.ok()) << graph.status();
      std::vector<Array> given = inputs;
      if (is_last_known) given.pop_back();
      const absl::StatusOr<std::vector<Array>> outputs =
          RunGraph(*graph, given);
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_EQ((*outputs)[0].shape, expected.shape);
      EXPECT_EQ((*outputs)[0].values, expected.values);
    }
  }
}

TEST(ConvertEinsumTest, AttentionHasNoTransposes) {
  const EinsumCase test = {"bhqd,bhkd->bhqk", {{2, 3, 4, 5}, {2, 3, 2, 5}}};
  const absl::StatusOr<OperatorGraph> graph =
      Import(test, Inputs(test), /*is_last_known=*/false);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->nodes.size(), 1);
}

TEST(ConvertEinsumTest, RefusesWhatDoesNotFit) {
  const struct {
    EinsumCase einsum;
    std::string reason;
  } kCases[] = {
      {{"ij,jk->ik", {{2, 3}, {4, 5}}},
       "has a dimension of 3 elements where another input has 4"},
      {{"ij,jk->ik", {{2, 1}, {4, 5}}},
       "has a dimension of 1 elements where another input has 4"},
      {{"ii->i", {{2, 3}}}, "takes a diagonal of 2 x 3 elements"},
      {{"ij->ijk", {{2, 3}}}, "says: the output \"ijk\" has 'k' of no input"},
  };
  for (const auto& [test, reason] : kCases) {
    EXPECT_THAT(Import(test, Inputs(test), /*is_last_known=*/false),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(absl::StrCat("Einsum \"node\" ", reason))));
  }
}

}  // namespace
}  // namespace pruner
