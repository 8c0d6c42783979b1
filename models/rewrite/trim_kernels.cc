#include "models/rewrite/trim_kernels.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/graph/constant.h"
#include "models/operators/operators.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

// The kernel's rows, or its columns, of which some output reads the input:
// first, ..., end - 1.
struct Taps {
  int64_t first = 0;
  int64_t end = 0;
};

// One dimension of a convolution.
struct Axis {
  int64_t input, output, kernel, stride, dilation, padding_before;

  // Whether there is an output whose tap `t` lies within the input.
  bool Reads(int64_t t) const {
    const int64_t offset = t * dilation - padding_before;
    // The first output that is not before the input.
    const int64_t first = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
    return first < output && first * stride + offset < input;
  }

  Taps Read() const {
    Taps taps = {0, kernel};
    while (taps.first + 1 < taps.end && !Reads(taps.first)) ++taps.first;
    while (taps.first + 1 < taps.end && !Reads(taps.end - 1)) --taps.end;
    return taps;
  }
};

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
    const Shape& input = graph_.ShapeOf(node.inputs[0]);
    const Shape& kernel = graph_.ShapeOf(node.inputs[1]);
    const Shape& output = graph_.ShapeOf(node.output);
    const Padding2d& padding = conv->padding;
    const Taps rows = Axis{input[1],       output[1],        kernel[0],
                           conv->stride.h, conv->dilation.h, padding.top}
                          .Read();
    const Taps columns = Axis{input[2],       output[2],        kernel[1],
                              conv->stride.w, conv->dilation.w, padding.left}
                             .Read();
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
