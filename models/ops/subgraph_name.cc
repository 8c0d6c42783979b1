#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"
#include "models/ops/tasks.h"
#include "pruner/base/hash.h"

namespace pruner {
namespace {

// "56x56x64"; a batch of 1 goes without saying.
std::string SizeText(const Shape& shape) {
  const bool skip_batch = shape.size() > 1 && shape[0] == 1;
  return absl::StrJoin(shape.begin() + (skip_batch ? 1 : 0), shape.end(), "x");
}

// Names become those of files, which have 255 bytes at most on most file
// systems; room is left for what is put behind them.
std::string Shortened(std::string name) {
  constexpr size_t kMaxBytes = 100;
  if (name.size() <= kMaxBytes) return name;
  const std::string rest = absl::StrCat(
      "_",
      absl::Hex(static_cast<uint32_t>(Fingerprint(name)), absl::kZeroPad8));
  return absl::StrCat(name.substr(0, kMaxBytes - rest.size()), rest);
}

}  // namespace

std::string SubgraphName(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  const Node& first = body.nodes[0];
  const std::vector<Shape> inputs = InputShapes(body, first);
  std::string name =
      absl::StrCat(TaskText(first.op, inputs), "_", SizeText(inputs[0]));
  if (KindOf(first.op).roles[1] == "weights")
    absl::StrAppend(&name, "_", body.ShapeOf(first.output).back());
  for (size_t i = 1; i < body.nodes.size(); ++i)
    absl::StrAppend(&name, "_", KindOf(body.nodes[i].op).task_name);
  return Shortened(std::move(name));
}

}  // namespace pruner
