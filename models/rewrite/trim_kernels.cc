#include "models/rewrite/trim_kernels.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/graph/constant.h"
#include "models/operators/operators.h"
#include "models/operators/window.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

// The kernel's rows, or its columns, of which some output reads the input:
// first, ..., end - 1.
struct Taps {
  int64_t first = 0;
  int64_t end = 0;
};

// Whether some output's tap `t` lies within the input.
bool Reads(const WindowAxis& axis, int64_t t) {
  const int64_t offset = t * axis.dilation - axis.padding_before;
  // The first output that is not before the input.
  const int64_t first =
      offset >= 0 ? 0 : (-offset + axis.stride - 1) / axis.stride;
  return first < axis.output && first * axis.stride + offset < axis.input;
}

Taps TapsThatRead(const WindowAxis& axis) {
  Taps taps = {0, axis.kernel};
  while (taps.first + 1 < taps.end && !Reads(axis, taps.first)) ++taps.first;
  while (taps.first + 1 < taps.end && !Reads(axis, taps.end - 1)) --taps.end;
  return taps;
}

// Of weights {kernel h, kernel w, ...}, whose recipe is by channel.
ConstantData Trimmed(const ConstantData& weights, const Shape& shape,
                     const Taps& rows, const Taps& columns) {
  const std::vector<double> source =
      MaterializeConstant({.source = weights.source}, shape);
  const int64_t tap = NumElements(shape) / (shape[0] * shape[1]);
  std::vector<float> values;
  for (int64_t y = rows.first; y < rows.end; ++y) {
    const auto row = source.begin() + y * shape[1] * tap;
    values.insert(values.end(), row + columns.first * tap,
                  row + columns.end * tap);
  }
  return {.source = MakeExplicit(std::move(values)),
          .channel_factor = weights.channel_factor,
          .channel_offset = weights.channel_offset};
}

class Trimmer {
 public:
  explicit Trimmer(const OperatorGraph& graph)
      : graph_(graph), copier_(graph) {}

  absl::StatusOr<OperatorGraph> Run() && {
    for (const Node& node : graph_.nodes) {
      if (!Trim(node)) copier_.CopyNode(node);
    }
    return std::move(copier_).Finish();
  }

 private:
  bool Trim(const Node& node) {
    const auto* const conv = std::get_if<Conv2d>(&node.op);
    if (conv == nullptr) return false;
    const auto weights = graph_.constants.find(node.inputs[1]);
    if (weights == graph_.constants.end()) return false;
    const Shape& kernel = graph_.ShapeOf(node.inputs[1]);
    const Padding2d& padding = conv->padding;
    const Window2d window =
        MakeWindow(conv->ImageShape(graph_.ShapeOf(node.inputs[0])),
                   graph_.ShapeOf(node.output), {kernel[0], kernel[1]},
                   conv->stride, conv->dilation, padding);
    const Taps rows = TapsThatRead(window.y), columns = TapsThatRead(window.x);
    Shape trimmed = kernel;
    trimmed[0] = rows.end - rows.first;
    trimmed[1] = columns.end - columns.first;
    Conv2d shorter = *conv;
    shorter.padding = {
        .top = padding.top - rows.first * conv->dilation.h,
        .left = padding.left - columns.first * conv->dilation.w,
        .bottom = padding.bottom - (kernel[0] - rows.end) * conv->dilation.h,
        .right = padding.right - (kernel[1] - columns.end) * conv->dilation.w};
    // There is no padding that takes something away.
    if (trimmed == kernel || shorter.padding.top < 0 ||
        shorter.padding.left < 0 || shorter.padding.bottom < 0 ||
        shorter.padding.right < 0) {
      return false;
    }
    const std::string& name = graph_.NameOf(node);
    const TensorId constant = copier_.builder().Constant(
        copier_.FreshName(absl::StrCat(name, ".trimmed_weights")), trimmed,
        Trimmed(weights->second, kernel, rows, columns));
    copier_.Replace(node.output, copier_.builder().Apply(
                                     name, shorter,
                                     {copier_.Copy(node.inputs[0]), constant}));
    return true;
  }

  const OperatorGraph& graph_;
  GraphCopier copier_;
};

}  // namespace

absl::StatusOr<OperatorGraph> TrimKernels(const OperatorGraph& graph) {
  return Trimmer(graph).Run();
}

}  // namespace pruner
