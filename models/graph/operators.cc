#include "models/graph/operators.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace pruner {
namespace {

std::string Text(const Extent2d& extent) {
  return absl::StrCat(extent.h, ",", extent.w);
}

std::string Text(const Padding2d& padding) {
  return absl::StrCat(padding.top, ",", padding.left, ",", padding.bottom, ",",
                      padding.right);
}

std::string Attributes(const Conv2d& op) {
  return absl::StrCat("stride=", Text(op.stride), " padding=", Text(op.padding),
                      " dilation=", Text(op.dilation), " groups=", op.groups);
}

std::string Attributes(const Dense&) { return ""; }

std::string Attributes(const BatchNorm& op) {
  return absl::StrFormat("epsilon=%.17g", op.epsilon);
}

std::string Attributes(const BiasAdd&) { return ""; }

std::string Attributes(const Relu&) { return ""; }

std::string Attributes(const Relu6&) { return ""; }

std::string Attributes(const Add&) { return ""; }

std::string Attributes(const MaxPool2d& op) {
  return absl::StrCat("kernel=", Text(op.kernel), " stride=", Text(op.stride),
                      " padding=", Text(op.padding));
}

std::string Attributes(const AvgPool2d& op) {
  return absl::StrCat("kernel=", Text(op.kernel), " stride=", Text(op.stride),
                      " padding=", Text(op.padding), " count_include_pad=",
                      op.count_include_pad ? "true" : "false");
}

std::string Attributes(const GlobalAvgPool&) { return ""; }

std::string Attributes(const Reshape& op) {
  return absl::StrCat("shape=", absl::StrJoin(op.shape, ","));
}

std::string Attributes(const Softmax& op) {
  return absl::StrCat("axis=", op.axis);
}

std::string Attributes(const Identity&) { return ""; }

}  // namespace

const OperatorKind& KindOf(const Operator& op) {
  return std::visit(
      [](const auto& kind) -> const OperatorKind& { return kind.kKind; }, op);
}

std::string OperatorText(const Operator& op) {
  return absl::StrCat(
      KindOf(op).name, "(",
      std::visit([](const auto& kind) { return Attributes(kind); }, op), ")");
}

}  // namespace pruner
