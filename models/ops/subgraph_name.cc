#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "models/ops/tasks.h"
#include "pruner/base/hash.h"

namespace pruner {
namespace {

// "3x3" or, for another extent, "1x7".
std::string ExtentText(const Extent2d& extent) {
  return absl::StrCat(extent.h, "x", extent.w);
}

// "_s2", or "_s2x1" where height and width differ.
std::string FactorText(absl::string_view letter, const Extent2d& factor) {
  if (factor.h == factor.w) return absl::StrCat("_", letter, factor.h);
  return absl::StrCat("_", letter, ExtentText(factor));
}

// "56x56x64"; a batch of 1 goes without saying.
std::string SizeText(const Shape& shape) {
  const bool skip_batch = shape.size() > 1 && shape[0] == 1;
  return absl::StrJoin(shape.begin() + (skip_batch ? 1 : 0), shape.end(), "x");
}

std::string NameOf(const Operator& op) {
  return std::visit(
      [](const auto& kind) -> std::string {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, Conv2d>) return "conv2d";
        if constexpr (std::is_same_v<Kind, Dense>) return "dense";
        if constexpr (std::is_same_v<Kind, BatchNorm>) return "norm";
        if constexpr (std::is_same_v<Kind, BiasAdd>) return "bias";
        if constexpr (std::is_same_v<Kind, Relu>) return "relu";
        if constexpr (std::is_same_v<Kind, Relu6>) return "relu6";
        if constexpr (std::is_same_v<Kind, Add>) return "add";
        if constexpr (std::is_same_v<Kind, MaxPool2d>) return "max_pool";
        if constexpr (std::is_same_v<Kind, AvgPool2d>) return "avg_pool";
        if constexpr (std::is_same_v<Kind, GlobalAvgPool>) {
          return "global_avg_pool";
        }
        if constexpr (std::is_same_v<Kind, Reshape>) return "reshape";
        if constexpr (std::is_same_v<Kind, Softmax>) return "softmax";
        if constexpr (std::is_same_v<Kind, Identity>) return "identity";
      },
      op);
}

// What else is said of the first node: "_3x3_s2_d2_g32".
std::string AttributesText(const Conv2d& op, const Shape& weights) {
  std::string text = absl::StrCat("_", ExtentText({weights[0], weights[1]}),
                                  FactorText("s", op.stride));
  if (op.dilation != Extent2d{}) {
    absl::StrAppend(&text, FactorText("d", op.dilation));
  }
  if (op.groups != 1) absl::StrAppend(&text, "_g", op.groups);
  return text;
}

template <typename Pool>
std::string PoolText(const Pool& op) {
  return absl::StrCat("_", ExtentText(op.kernel), FactorText("s", op.stride));
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
  std::string name = NameOf(first.op);
  if (const auto* conv = std::get_if<Conv2d>(&first.op)) {
    name += AttributesText(*conv, body.ShapeOf(first.inputs[1]));
  } else if (const auto* max_pool = std::get_if<MaxPool2d>(&first.op)) {
    name += PoolText(*max_pool);
  } else if (const auto* avg_pool = std::get_if<AvgPool2d>(&first.op)) {
    name += PoolText(*avg_pool);
  } else if (const auto* softmax = std::get_if<Softmax>(&first.op)) {
    const size_t rank = body.ShapeOf(first.inputs[0]).size();
    if (softmax->axis + 1 != static_cast<int64_t>(rank)) {
      absl::StrAppend(&name, "_axis", softmax->axis);
    }
  }
  absl::StrAppend(&name, "_", SizeText(body.ShapeOf(first.inputs[0])));
  if (std::holds_alternative<Conv2d>(first.op) ||
      std::holds_alternative<Dense>(first.op)) {
    absl::StrAppend(&name, "_", body.ShapeOf(first.output).back());
  }
  for (size_t i = 1; i < body.nodes.size(); ++i) {
    absl::StrAppend(&name, "_", NameOf(body.nodes[i].op));
  }
  return Shortened(std::move(name));
}

}  // namespace pruner
