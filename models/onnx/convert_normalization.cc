// Normalizations and softmaxes.
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/operators.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr float kUsualEpsilon = 1e-5f;

std::vector<int64_t> AxesFrom(int64_t first, int64_t rank) {
  std::vector<int64_t> axes(rank - first);
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

absl::StatusOr<OnnxValue> Reduced(NodeImport& n, const OnnxValue& value,
                                  const std::string& kind,
                                  const std::vector<int64_t>& axes) {
  return n.Apply(Reduce{.kind = kind, .axes = axes, .keepdims = true}, {value});
}

absl::Status ImportBatchNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes(
      {"epsilon", "momentum", "spatial", "training_mode"}));
  ASSIGN_OR_RETURN(const int64_t training, n.node().Int("training_mode", 0));
  if (training != 0) return n.Error("is for training");
  ASSIGN_OR_RETURN(const float epsilon,
                   n.node().Float("epsilon", kUsualEpsilon));
  std::vector<OnnxValue> inputs(5);
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSIGN_OR_RETURN(inputs[i], n.Input(i));
  }
  if (inputs[0].rank() < 2) return n.Error("has an input without channels");
  ASSIGN_OR_RETURN(inputs[0], n.ChannelsLast(inputs[0]));
  ASSIGN_OR_RETURN(OnnxValue result,
                   n.Apply(BatchNorm{.epsilon = epsilon}, inputs));
  ASSIGN_OR_RETURN(result, n.ChannelsFirst(result));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

// A parameter of the dimensions that are normalized, which it may broadcast to.
absl::StatusOr<OnnxValue> Parameter(NodeImport& n, const OnnxValue& value,
                                    const Shape& shape) {
  if (value.shape == shape) return value;
  if (value.rank() > static_cast<int64_t>(shape.size()))
    return n.Reshape(value, shape);
  return n.Apply(Expand{shape}, {value});
}

// Mean and inverse standard deviation, which are outputs that few read.
absl::Status ImportMoments(NodeImport& n, const OnnxValue& x, int64_t axis,
                           float epsilon) {
  const std::vector<int64_t> axes = AxesFrom(axis, x.rank());
  ASSIGN_OR_RETURN(const OnnxValue mean, Reduced(n, x, "mean", axes));
  n.SetOutput(1, mean);
  if (!n.node().HasOutput(2)) return absl::OkStatus();
  ASSIGN_OR_RETURN(OnnxValue y, n.Apply(Sub{}, {x, mean}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {y, y}));
  ASSIGN_OR_RETURN(y, Reduced(n, y, "mean", axes));
  ASSIGN_OR_RETURN(
      y, n.Apply(Add{}, {y, KnownScalar(epsilon, DataType::kFloat32)}));
  ASSIGN_OR_RETURN(y, n.Apply(Sqrt{}, {y}));
  ASSIGN_OR_RETURN(y, n.Apply(Reciprocal{}, {y}));
  n.SetOutput(2, y);
  return absl::OkStatus();
}

absl::Status ImportLayerNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis", "epsilon", "stash_type"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue scale, n.Input(1));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", -1));
  ASSIGN_OR_RETURN(axis, n.Axis(axis, x.rank()));
  ASSIGN_OR_RETURN(const float epsilon,
                   n.node().Float("epsilon", kUsualEpsilon));
  const Shape normalized = {x.shape.begin() + axis, x.shape.end()};
  ASSIGN_OR_RETURN(scale, Parameter(n, scale, normalized));
  OnnxValue bias = KnownScalar(0, DataType::kFloat32);
  if (n.HasInput(2)) {
    ASSIGN_OR_RETURN(bias, n.Input(2));
  }
  ASSIGN_OR_RETURN(bias, Parameter(n, bias, normalized));
  ASSIGN_OR_RETURN(
      OnnxValue result,
      n.Apply(LayerNorm{.axis = axis, .epsilon = epsilon}, {x, scale, bias}));
  n.SetOutput(0, std::move(result));
  return n.node().HasOutput(1) || n.node().HasOutput(2)
             ? ImportMoments(n, x, axis, epsilon)
             : absl::OkStatus();
}

absl::Status ImportRmsNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis", "epsilon", "stash_type"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue scale, n.Input(1));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", -1));
  ASSIGN_OR_RETURN(axis, n.Axis(axis, x.rank()));
  ASSIGN_OR_RETURN(const float epsilon,
                   n.node().Float("epsilon", kUsualEpsilon));
  ASSIGN_OR_RETURN(
      scale, Parameter(n, scale, {x.shape.begin() + axis, x.shape.end()}));
  ASSIGN_OR_RETURN(
      OnnxValue result,
      n.Apply(RmsNorm{.axis = axis, .epsilon = epsilon}, {x, scale}));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

// Normalizes `groups` groups of channels of each image by themselves.
absl::StatusOr<OnnxValue> NormalizeGroups(NodeImport& n, const OnnxValue& x,
                                          int64_t groups, float epsilon) {
  const int64_t batch = x.shape[0];
  ASSIGN_OR_RETURN(
      OnnxValue y,
      n.Reshape(x, {batch, groups, NumElements(x.shape) / batch / groups}));
  ASSIGN_OR_RETURN(y, n.Apply(Normalize{.axis = 2, .epsilon = epsilon}, {y}));
  return n.Reshape(y, x.shape);
}

// Of {C}, at dimension 1 of a tensor of that rank.
absl::StatusOr<OnnxValue> PerChannel(NodeImport& n, const OnnxValue& value,
                                     int64_t channels, int64_t rank) {
  if (value.shape != Shape{channels})
    return n.Error(absl::StrCat("has a parameter of shape ",
                                ShapeText(value.shape), " for ", channels,
                                " channels"));
  Shape shape(rank, 1);
  shape[1] = channels;
  return n.Reshape(value, shape);
}

absl::StatusOr<OnnxValue> ScaleChannels(NodeImport& n, const OnnxValue& x,
                                        const OnnxValue& scale,
                                        const OnnxValue& bias) {
  ASSIGN_OR_RETURN(const OnnxValue factor,
                   PerChannel(n, scale, x.shape[1], x.rank()));
  ASSIGN_OR_RETURN(const OnnxValue offset,
                   PerChannel(n, bias, x.shape[1], x.rank()));
  ASSIGN_OR_RETURN(const OnnxValue scaled, n.Apply(Mul{}, {x, factor}));
  return n.Apply(Add{}, {scaled, offset});
}

absl::Status ImportInstanceNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"epsilon"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(const OnnxValue scale, n.Input(1));
  ASSIGN_OR_RETURN(const OnnxValue bias, n.Input(2));
  ASSIGN_OR_RETURN(const float epsilon,
                   n.node().Float("epsilon", kUsualEpsilon));
  if (x.rank() < 3) return n.Error("has an input without pixels");
  ASSIGN_OR_RETURN(OnnxValue y, NormalizeGroups(n, x, x.shape[1], epsilon));
  ASSIGN_OR_RETURN(y, ScaleChannels(n, y, scale, bias));
  n.SetOutput(0, std::move(y));
  return absl::OkStatus();
}

// Parameters are per channel; before version 21 they were per group.
absl::Status ImportGroupNormalization(NodeImport& n) {
  RETURN_IF_ERROR(
      n.node().CheckAttributes({"epsilon", "num_groups", "stash_type"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(const OnnxValue scale, n.Input(1));
  ASSIGN_OR_RETURN(const OnnxValue bias, n.Input(2));
  ASSIGN_OR_RETURN(const float epsilon,
                   n.node().Float("epsilon", kUsualEpsilon));
  ASSIGN_OR_RETURN(const int64_t groups, n.node().Int("num_groups"));
  if (x.rank() < 2 || groups < 1 || x.shape[1] % groups != 0)
    return n.Error(absl::StrCat(
        "has ", groups, " groups for an input of shape ", ShapeText(x.shape)));
  ASSIGN_OR_RETURN(OnnxValue y, NormalizeGroups(n, x, groups, epsilon));
  const bool is_per_group = scale.shape == Shape{groups} && n.opset() < 21;
  if (is_per_group) {
    ASSIGN_OR_RETURN(
        y, n.Reshape(y, {x.shape[0], groups,
                         NumElements(x.shape) / x.shape[0] / groups}));
  }
  ASSIGN_OR_RETURN(y, ScaleChannels(n, y, scale, bias));
  ASSIGN_OR_RETURN(y, n.Reshape(y, x.shape));
  n.SetOutput(0, std::move(y));
  return absl::OkStatus();
}

// (x - mean) / standard deviation.
absl::Status ImportMeanVarianceNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axes"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(std::vector<int64_t> axes,
                   n.node().Ints("axes", std::vector<int64_t>{0, 2, 3}));
  ASSIGN_OR_RETURN(axes, n.Axes(axes, x.rank()));
  ASSIGN_OR_RETURN(const OnnxValue mean, Reduced(n, x, "mean", axes));
  ASSIGN_OR_RETURN(const OnnxValue centered, n.Apply(Sub{}, {x, mean}));
  ASSIGN_OR_RETURN(OnnxValue deviation, n.Apply(Mul{}, {centered, centered}));
  ASSIGN_OR_RETURN(deviation, Reduced(n, deviation, "mean", axes));
  ASSIGN_OR_RETURN(deviation, n.Apply(Sqrt{}, {deviation}));
  // As in the definition of the operator.
  ASSIGN_OR_RETURN(
      deviation,
      n.Apply(Add{}, {deviation, KnownScalar(1e-9, DataType::kFloat32)}));
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(Div{}, {centered, deviation}));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

absl::Status ImportLpNormalization(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis", "p"}));
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", -1));
  ASSIGN_OR_RETURN(axis, n.Axis(axis, x.rank()));
  ASSIGN_OR_RETURN(const int64_t p, n.node().Int("p", 2));
  if (p != 1 && p != 2) return n.Error(absl::StrCat("has p = ", p));
  ASSIGN_OR_RETURN(const OnnxValue norm,
                   Reduced(n, x, p == 1 ? "l1" : "l2", {axis}));
  // Of zeros: zeros.
  ASSIGN_OR_RETURN(
      const OnnxValue divisor,
      n.Apply(Max{}, {norm, KnownScalar(1e-30, DataType::kFloat32)}));
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(Div{}, {x, divisor}));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

// The input as a softmax sees it and the axis: before version 13 all dimensions
// from the axis on are one.
struct SoftmaxInput {
  OnnxValue value;
  int64_t axis = 0;
  Shape shape;  // of the result
};

absl::StatusOr<SoftmaxInput> ReadSoftmax(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  SoftmaxInput input;
  ASSIGN_OR_RETURN(input.value, n.Input(0));
  input.shape = input.value.shape;
  const bool is_flat = n.opset() < 13;
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", is_flat ? 1 : -1));
  ASSIGN_OR_RETURN(input.axis, n.Axis(axis, input.value.rank()));
  if (is_flat && input.axis + 1 < input.value.rank()) {
    int64_t rows = 1, columns = 1;
    for (int64_t d = 0; d < input.value.rank(); ++d)
      (d < input.axis ? rows : columns) *= input.shape[d];
    ASSIGN_OR_RETURN(input.value, n.Reshape(input.value, {rows, columns}));
    input.axis = 1;
  }
  return input;
}

absl::Status FinishSoftmax(NodeImport& n, const OnnxValue& value,
                           const Shape& shape) {
  ASSIGN_OR_RETURN(OnnxValue result, n.Reshape(value, shape));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

absl::Status ImportSoftmax(NodeImport& n) {
  ASSIGN_OR_RETURN(const SoftmaxInput x, ReadSoftmax(n));
  ASSIGN_OR_RETURN(const OnnxValue result, n.Apply(Softmax{x.axis}, {x.value}));
  return FinishSoftmax(n, result, x.shape);
}

absl::Status ImportLogSoftmax(NodeImport& n) {
  ASSIGN_OR_RETURN(const SoftmaxInput x, ReadSoftmax(n));
  ASSIGN_OR_RETURN(const OnnxValue log_sum,
                   Reduced(n, x.value, "log_sum_exp", {x.axis}));
  ASSIGN_OR_RETURN(const OnnxValue result, n.Apply(Sub{}, {x.value, log_sum}));
  return FinishSoftmax(n, result, x.shape);
}

// 1 at the first of the largest elements, else 0.
absl::Status ImportHardmax(NodeImport& n) {
  ASSIGN_OR_RETURN(const SoftmaxInput x, ReadSoftmax(n));
  ASSIGN_OR_RETURN(
      const OnnxValue largest,
      n.Apply(ArgReduce{.kind = "max", .axis = x.axis, .keepdims = true},
              {x.value}));
  Shape line(x.value.rank(), 1);
  line[x.axis] = x.value.shape[x.axis];
  const OnnxValue positions = KnownInts(AxesFrom(0, line[x.axis]), line);
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(Equal{}, {positions, largest}));
  ASSIGN_OR_RETURN(result, n.Apply(CastToFloat{}, {result}));
  return FinishSoftmax(n, result, x.shape);
}

}  // namespace

void AddNormalizationConverters(Converters& converters) {
  converters["BatchNormalization"] = ImportBatchNormalization;
  converters["GroupNormalization"] = ImportGroupNormalization;
  converters["Hardmax"] = ImportHardmax;
  converters["InstanceNormalization"] = ImportInstanceNormalization;
  converters["LayerNormalization"] = ImportLayerNormalization;
  converters["LogSoftmax"] = ImportLogSoftmax;
  converters["LpNormalization"] = ImportLpNormalization;
  converters["MeanVarianceNormalization"] = ImportMeanVarianceNormalization;
  converters["RMSNormalization"] = ImportRmsNormalization;
  converters["Softmax"] = ImportSoftmax;
}

}  // namespace pruner
