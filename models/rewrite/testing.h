// For the tests of passes.
#ifndef MODELS_REWRITE_TESTING_H_
#define MODELS_REWRITE_TESTING_H_

#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"

namespace pruner {

template <typename Kind>
int CountNodes(const OperatorGraph& graph) {
  int count = 0;
  for (const Node& node : graph.nodes) {
    count += std::holds_alternative<Kind>(node.op) ? 1 : 0;
  }
  return count;
}

// That both take and give tensors of the same names and shapes, and compute the
// same within 1e-9 on random inputs.
inline void ExpectEquivalent(const OperatorGraph& original,
                             const OperatorGraph& rewritten) {
  EXPECT_TRUE(Validate(rewritten).ok()) << Validate(rewritten);
  const auto interface = [](const OperatorGraph& graph) {
    std::vector<Tensor> tensors;
    for (const TensorId input : graph.inputs)
      tensors.push_back(graph.tensors[input]);
    for (const TensorId output : graph.outputs)
      tensors.push_back(graph.tensors[output]);
    return tensors;
  };
  ASSERT_EQ(interface(original), interface(rewritten));
  const std::vector<Array> inputs = RandomInputs(original, 1);
  const absl::StatusOr<std::vector<Array>> before = RunGraph(original, inputs);
  const absl::StatusOr<std::vector<Array>> after = RunGraph(rewritten, inputs);
  ASSERT_TRUE(before.ok() && after.ok()) << before.status() << after.status();
  for (size_t i = 0; i < before->size(); ++i) {
    EXPECT_LT(RelativeDifference((*after)[i], (*before)[i]), 1e-9)
        << "output " << i;
  }
}

}  // namespace pruner

#endif  // MODELS_REWRITE_TESTING_H_
