#include "models/runtime/error_scale.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "models/operators/operators.h"

namespace pruner {
namespace {

template <typename... Kinds>
bool IsOneOf(const Operator& op) {
  return (std::holds_alternative<Kinds>(op) || ...);
}

bool HasBoundedRange(const Operator& op) {
  return IsOneOf<Atan, Clip, Cos, Erf, HardSigmoid, Relu6, Sigmoid, Sin,
                 Softsign, Tanh>(op);
}

double Largest(const Array& array) {
  double largest = 0;
  for (const double value : array.values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

std::vector<TensorId> OperandsOfBounded(const OperatorGraph& graph,
                                        absl::Span<const int> nodes) {
  std::set<TensorId> computed;
  std::vector<TensorId> operands;
  for (const int i : nodes) {
    const Node& node = graph.nodes[i];
    if (HasBoundedRange(node.op) && computed.contains(node.inputs[0])) {
      operands.push_back(node.inputs[0]);
      computed.erase(node.inputs[0]);
    }
    computed.insert(node.output);
  }
  return operands;
}

double ErrorScale(const Array& output, absl::Span<const Array> operands) {
  const double largest = Largest(output);
  double scale = 1;
  if (largest == 0) return scale;
  for (const Array& operand : operands)
    scale = std::max(scale, Largest(operand) / largest);
  return scale;
}

}  // namespace pruner
