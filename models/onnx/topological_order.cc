#include "models/onnx/topological_order.h"

#include <cstddef>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/onnx_node.h"

namespace pruner {
namespace {

// For each node those that make its inputs, once for each input.
std::vector<std::vector<size_t>> Makers(const std::vector<OnnxNode>& nodes) {
  std::map<absl::string_view, size_t> maker;
  for (size_t node = 0; node < nodes.size(); ++node) {
    for (const std::string& output : nodes[node].outputs) maker[output] = node;
  }
  maker.erase("");
  std::vector<std::vector<size_t>> makers(nodes.size());
  for (size_t node = 0; node < nodes.size(); ++node) {
    for (const std::string& input : nodes[node].inputs) {
      const auto found = maker.find(input);
      if (found != maker.end()) makers[node].push_back(found->second);
    }
  }
  return makers;
}

// `blocked` are nodes that cannot be computed; each has a maker that is one.
absl::Status CycleError(const std::vector<OnnxNode>& nodes,
                        const std::vector<std::vector<size_t>>& makers,
                        const std::vector<bool>& blocked) {
  const auto blocked_maker = [&](size_t node) {
    for (const size_t maker : makers[node]) {
      if (blocked[maker]) return maker;
    }
    return node;
  };
  size_t node = 0;
  while (!blocked[node]) ++node;
  // Whoever goes from maker to maker for as many steps is on a cycle.
  for (size_t step = 0; step < nodes.size(); ++step) node = blocked_maker(node);
  const size_t maker = blocked_maker(node);
  if (maker == node) return nodes[node].Error("reads its own output");
  return nodes[node].Error(
      absl::StrCat("is in a cycle: it reads what ", nodes[maker].Label(),
                   " computes, which itself waits for ", nodes[node].Label()));
}

}  // namespace

absl::StatusOr<std::vector<OnnxNode>> SortTopologically(
    std::vector<OnnxNode> nodes) {
  const std::vector<std::vector<size_t>> makers = Makers(nodes);
  std::vector<std::vector<size_t>> readers(nodes.size());
  std::vector<size_t> waits_for(nodes.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t node = 0; node < nodes.size(); ++node) {
    for (const size_t maker : makers[node]) readers[maker].push_back(node);
    waits_for[node] = makers[node].size();
    if (waits_for[node] == 0) ready.push(node);
  }
  std::vector<bool> blocked(nodes.size(), true);
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t node = ready.top();
    ready.pop();
    order.push_back(node);
    blocked[node] = false;
    for (const size_t reader : readers[node]) {
      if (--waits_for[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() < nodes.size()) return CycleError(nodes, makers, blocked);
  std::vector<OnnxNode> sorted;
  sorted.reserve(nodes.size());
  for (const size_t node : order) sorted.push_back(std::move(nodes[node]));
  return sorted;
}

}  // namespace pruner
