// Convolutions and poolings. ONNX's images are {N, C, spatial...}; ours have
// the channels last.
#include <algorithm>
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
#include "models/onnx/window_geometry.h"
#include "models/operators/operators.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

Shape SpatialOf(const OnnxValue& image) {
  return {image.shape.begin() + 2, image.shape.end()};
}

// A line becomes an image of one row.
absl::StatusOr<OnnxValue> WithRow(NodeImport& n, const OnnxValue& value) {
  if (value.rank() != 3) return value;
  Shape shape = value.shape;
  shape.insert(shape.begin() + 2, 1);
  return n.Reshape(value, shape);
}

void AddRow(WindowGeometry& window) {
  if (window.rank() != 1) return;
  for (std::vector<int64_t>* numbers :
       {&window.kernel, &window.stride, &window.dilation}) {
    numbers->insert(numbers->begin(), 1);
  }
  window.before.insert(window.before.begin(), 0);
  window.after.insert(window.after.begin(), 0);
}

Extent2d ToExtent(const std::vector<int64_t>& numbers) {
  return {numbers[0], numbers[1]};
}

Padding2d ToPadding(const WindowGeometry& window) {
  return {window.before[0], window.before[1], window.after[0], window.after[1]};
}

std::vector<int64_t> Joined(std::vector<int64_t> first,
                            const std::vector<int64_t>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Adds the bias, if there is one, and puts the channels where ONNX has them.
absl::Status Finish(NodeImport& n, OnnxValue result, int64_t rank) {
  if (n.HasInput(2)) {
    ASSIGN_OR_RETURN(const OnnxValue bias, n.Input(2));
    ASSIGN_OR_RETURN(result, n.Apply(BiasAdd{}, {result, bias}));
  }
  ASSIGN_OR_RETURN(result, n.ChannelsFirst(result));
  if (rank == 3) {
    ASSIGN_OR_RETURN(
        result,
        n.Reshape(result, {result.shape[0], result.shape[1], result.shape[3]}));
  }
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

// Image and weights of 1 to 3 spatial dimensions, the weights of the same rank.
absl::Status CheckConvolution(const NodeImport& n, const OnnxValue& input,
                              const OnnxValue& weights) {
  if (input.rank() < 3 || input.rank() > 5)
    return n.Error(absl::StrCat("has an input of ", input.rank(),
                                " dimensions; 3 to 5 are supported"));
  if (weights.rank() != input.rank())
    return n.Error(absl::StrCat("has weights of ", weights.rank(),
                                " dimensions for an input of ", input.rank()));
  return absl::OkStatus();
}

absl::StatusOr<WindowGeometry> ConvolutionGeometry(const NodeImport& n,
                                                   const OnnxValue& input,
                                                   const OnnxValue& weights) {
  const Shape kernel = SpatialOf(weights);
  ASSIGN_OR_RETURN(const std::vector<int64_t> said,
                   n.node().Ints("kernel_shape", kernel));
  if (said != kernel)
    return n.Error("has a kernel_shape that is not its weights'");
  return ReadWindowGeometry(n, SpatialOf(input), kernel);
}

absl::Status ImportConv(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes(
      {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue weights, n.Input(1));
  RETURN_IF_ERROR(CheckConvolution(n, input, weights));
  ASSIGN_OR_RETURN(WindowGeometry window,
                   ConvolutionGeometry(n, input, weights));
  ASSIGN_OR_RETURN(const int64_t groups, n.node().Int("group", 1));
  const int64_t rank = input.rank();
  ASSIGN_OR_RETURN(input, WithRow(n, input));
  ASSIGN_OR_RETURN(weights, WithRow(n, weights));
  AddRow(window);
  ASSIGN_OR_RETURN(input, n.ChannelsLast(input));
  // {M, C / group, k...} to {k..., C / group, M}.
  std::vector<int64_t> perm(weights.rank());
  std::iota(perm.begin(), perm.end(), 2);
  perm[perm.size() - 2] = 1;
  perm[perm.size() - 1] = 0;
  ASSIGN_OR_RETURN(weights, n.Transpose(weights, perm));
  OnnxValue result;
  if (window.rank() == 2) {
    ASSIGN_OR_RETURN(result,
                     n.Apply(Conv2d{.stride = ToExtent(window.stride),
                                    .padding = ToPadding(window),
                                    .dilation = ToExtent(window.dilation),
                                    .groups = groups},
                             {input, weights}));
  } else {
    ASSIGN_OR_RETURN(
        result, n.Apply(Conv3d{.stride = window.stride,
                               .padding = Joined(window.before, window.after),
                               .dilation = window.dilation,
                               .groups = groups},
                        {input, weights}));
  }
  return Finish(n, std::move(result), rank);
}

// What of the full output is cut off, by the attributes that say how large it
// is; and what is added at its end.
absl::Status PadTransposed(const NodeImport& n, const Shape& spatial,
                           WindowGeometry& window,
                           std::vector<int64_t>& output_padding) {
  const size_t rank = spatial.size();
  ASSIGN_OR_RETURN(output_padding,
                   n.node().Ints("output_padding", std::vector<int64_t>(rank)));
  ASSIGN_OR_RETURN(std::vector<int64_t> shape,
                   n.node().Ints("output_shape", std::vector<int64_t>{}));
  ASSIGN_OR_RETURN(const std::string auto_pad,
                   n.node().String("auto_pad", "NOTSET"));
  const bool is_same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (shape.empty() && is_same) {
    for (size_t d = 0; d < rank; ++d)
      shape.push_back(spatial[d] * window.stride[d]);
  }
  if (output_padding.size() != rank)
    return n.Error("has an output_padding for another number of dimensions");
  if (shape.empty()) return absl::OkStatus();
  if (shape.size() > rank)  // older models also name batch and channels
    shape.erase(shape.begin(), shape.end() - static_cast<int64_t>(rank));
  if (shape.size() != rank)
    return n.Error("has an output_shape for another number of dimensions");
  for (size_t d = 0; d < rank; ++d) {
    if (shape[d] < 1 || shape[d] > kMaxTensorElements)
      return n.Error(absl::StrCat("has an output_shape of ", shape[d]));
    const int64_t full = window.stride[d] * (spatial[d] - 1) +
                         (window.kernel[d] - 1) * window.dilation[d] + 1;
    const int64_t total = full + output_padding[d] - shape[d];
    const int64_t cut = std::max<int64_t>(total, 0);
    output_padding[d] += cut - total;
    window.before[d] = auto_pad == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
    window.after[d] = cut - window.before[d];
  }
  return absl::OkStatus();
}

absl::Status ImportConvTranspose(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes(
      {"auto_pad", "dilations", "group", "kernel_shape", "output_padding",
       "output_shape", "pads", "strides"}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue weights, n.Input(1));
  RETURN_IF_ERROR(CheckConvolution(n, input, weights));
  const int64_t rank = input.rank();
  if (rank == 5)
    return n.Error("has 3 spatial dimensions; 1 or 2 are supported");
  ASSIGN_OR_RETURN(WindowGeometry window,
                   ConvolutionGeometry(n, input, weights));
  std::vector<int64_t> output_padding;
  RETURN_IF_ERROR(PadTransposed(n, SpatialOf(input), window, output_padding));
  ASSIGN_OR_RETURN(const int64_t groups, n.node().Int("group", 1));
  ASSIGN_OR_RETURN(input, WithRow(n, input));
  ASSIGN_OR_RETURN(weights, WithRow(n, weights));
  AddRow(window);
  if (rank == 3) output_padding.insert(output_padding.begin(), 0);
  const Shape& w = weights.shape;
  if (groups < 1 || w[0] % groups != 0)
    return n.Error(
        absl::StrCat("has ", groups, " groups for ", w[0], " channels"));
  // {C, M / group, h, w} to {h, w, C / group, M}: the groups' outputs are
  // neighbours in both.
  const int64_t in = w[0] / groups, h = w[2], width = w[3], out = w[1];
  ASSIGN_OR_RETURN(weights, n.Reshape(weights, {groups, in, out, h, width}));
  ASSIGN_OR_RETURN(weights, n.Transpose(weights, {3, 4, 1, 0, 2}));
  ASSIGN_OR_RETURN(weights, n.Reshape(weights, {h, width, in, groups * out}));
  ASSIGN_OR_RETURN(input, n.ChannelsLast(input));
  ASSIGN_OR_RETURN(
      OnnxValue result,
      n.Apply(ConvTranspose2d{.stride = ToExtent(window.stride),
                              .padding = ToPadding(window),
                              .dilation = ToExtent(window.dilation),
                              .groups = groups,
                              .output_padding = ToExtent(output_padding)},
              {input, weights}));
  return Finish(n, std::move(result), rank);
}

// The pooling of an image as the zoo's networks have it, if it is one of those.
bool IsPlain(const WindowGeometry& window) {
  for (int64_t d = 0; d < window.rank(); ++d) {
    if (window.dilation[d] != 1 || window.before[d] >= window.kernel[d] ||
        window.after[d] >= window.kernel[d]) {
      return false;
    }
  }
  return window.rank() == 2;
}

struct PoolNode {
  WindowGeometry window;
  std::vector<int64_t> out;
  bool ceil = false;
  OnnxValue input;  // channels last
};

absl::StatusOr<PoolNode> ReadPool(NodeImport& n) {
  PoolNode pool;
  ASSIGN_OR_RETURN(pool.input, n.Input(0));
  if (pool.input.rank() < 3 || pool.input.rank() > 5)
    return n.Error(absl::StrCat("has an input of ", pool.input.rank(),
                                " dimensions; 3 to 5 are supported"));
  const Shape spatial = SpatialOf(pool.input);
  ASSIGN_OR_RETURN(const std::vector<int64_t> kernel,
                   n.node().Ints("kernel_shape"));
  ASSIGN_OR_RETURN(pool.window, ReadWindowGeometry(n, spatial, kernel));
  ASSIGN_OR_RETURN(const int64_t ceil, n.node().Int("ceil_mode", 0));
  pool.ceil = ceil != 0;
  pool.out = WindowCounts(pool.window, spatial, pool.ceil);
  if (pool.out == WindowCounts(pool.window, spatial, false)) pool.ceil = false;
  ASSIGN_OR_RETURN(pool.input, n.ChannelsLast(pool.input));
  return pool;
}

PoolWindows ToWindows(const PoolNode& pool) {
  return {.kernel = pool.window.kernel,
          .stride = pool.window.stride,
          .dilation = pool.window.dilation,
          .padding_before = pool.window.before,
          .padding_after = pool.window.after,
          .out = pool.out};
}

absl::Status FinishPool(NodeImport& n, const Operator& op,
                        const OnnxValue& input) {
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(op, {input}));
  ASSIGN_OR_RETURN(result, n.ChannelsFirst(result));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

// Of which positions of maxima are computed: each has a constant.
constexpr int64_t kMaxIndexedImages = int64_t{1} << 24;

// Positions of the maxima, which ONNX counts through the whole tensor.
absl::Status ImportMaxIndices(NodeImport& n, const PoolNode& pool) {
  ASSIGN_OR_RETURN(const int64_t order, n.node().Int("storage_order", 0));
  if (order != 0)
    return n.Error("has storage_order = 1, which is not supported");
  ASSIGN_OR_RETURN(OnnxValue indices,
                   n.Apply(ArgMaxPool{ToWindows(pool)}, {pool.input}));
  ASSIGN_OR_RETURN(indices, n.ChannelsFirst(indices));
  ASSIGN_OR_RETURN(const OnnxValue image, n.Input(0));
  const Shape spatial = SpatialOf(image);
  const int64_t pixels = NumElements(spatial);
  const int64_t images = image.shape[0] * image.shape[1];
  if (images > kMaxIndexedImages)
    return n.Error(absl::StrCat("has indices of ", images, " images"));
  std::vector<int64_t> offsets(images);
  for (size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<int64_t>(i) * pixels;
  Shape shape(image.rank(), 1);
  shape[0] = image.shape[0];
  shape[1] = image.shape[1];
  ASSIGN_OR_RETURN(
      indices, n.Apply(Add{}, {indices, KnownInts(std::move(offsets), shape)}));
  n.SetOutput(1, std::move(indices));
  return absl::OkStatus();
}

absl::Status ImportMaxPool(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"auto_pad", "ceil_mode",
                                            "dilations", "kernel_shape", "pads",
                                            "storage_order", "strides"}));
  ASSIGN_OR_RETURN(const PoolNode pool, ReadPool(n));
  if (n.node().HasOutput(1)) {
    RETURN_IF_ERROR(ImportMaxIndices(n, pool));
  }
  const WindowGeometry& window = pool.window;
  if (IsPlain(window) && !pool.ceil) {
    return FinishPool(n,
                      MaxPool2d{.kernel = ToExtent(window.kernel),
                                .stride = ToExtent(window.stride),
                                .padding = ToPadding(window)},
                      pool.input);
  }
  return FinishPool(n, Pool{.kind = "max", .windows = ToWindows(pool)},
                    pool.input);
}

absl::Status ImportAveragePool(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes(
      {"auto_pad", "ceil_mode", "count_include_pad", "dilations",
       "kernel_shape", "pads", "strides"}));
  ASSIGN_OR_RETURN(const PoolNode pool, ReadPool(n));
  ASSIGN_OR_RETURN(const int64_t count, n.node().Int("count_include_pad", 0));
  const WindowGeometry& window = pool.window;
  if (IsPlain(window) && !pool.ceil) {
    return FinishPool(n,
                      AvgPool2d{.kernel = ToExtent(window.kernel),
                                .stride = ToExtent(window.stride),
                                .padding = ToPadding(window),
                                .count_include_pad = count != 0},
                      pool.input);
  }
  return FinishPool(n,
                    Pool{.kind = "average",
                         .windows = ToWindows(pool),
                         .count_include_pad = count != 0},
                    pool.input);
}

absl::Status ImportLpPool(NodeImport& n) {
  RETURN_IF_ERROR(
      n.node().CheckAttributes({"auto_pad", "ceil_mode", "dilations",
                                "kernel_shape", "p", "pads", "strides"}));
  ASSIGN_OR_RETURN(const PoolNode pool, ReadPool(n));
  ASSIGN_OR_RETURN(const int64_t p, n.node().Int("p", 2));
  return FinishPool(n, Pool{.kind = "lp", .p = p, .windows = ToWindows(pool)},
                    pool.input);
}

// Over all pixels, whatever their dimensions are: of an image of one row, but
// where it is an image.
template <typename Kind>
absl::Status ImportGlobalPool(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  if (input.rank() < 3) return n.Error("has an input without pixels");
  Shape shape = input.shape;
  if (input.rank() != 4) {
    ASSIGN_OR_RETURN(input, n.Reshape(input, {shape[0], shape[1], 1,
                                              NumElements(SpatialOf(input))}));
  }
  ASSIGN_OR_RETURN(input, n.ChannelsLast(input));
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(Kind{}, {input}));
  ASSIGN_OR_RETURN(result, n.ChannelsFirst(result));
  std::fill(shape.begin() + 2, shape.end(), 1);
  ASSIGN_OR_RETURN(result, n.Reshape(result, shape));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

absl::Status ImportLrn(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"alpha", "beta", "bias", "size"}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  Lrn op;
  ASSIGN_OR_RETURN(op.size, n.node().Int("size"));
  ASSIGN_OR_RETURN(op.alpha, n.node().Float("alpha", 1e-4f));
  ASSIGN_OR_RETURN(op.beta, n.node().Float("beta", 0.75f));
  ASSIGN_OR_RETURN(op.bias, n.node().Float("bias", 1.0f));
  ASSIGN_OR_RETURN(input, n.ChannelsLast(input));
  return FinishPool(n, op, input);
}

}  // namespace

void AddWindowConverters(Converters& converters) {
  converters["AveragePool"] = ImportAveragePool;
  converters["Conv"] = ImportConv;
  converters["ConvTranspose"] = ImportConvTranspose;
  converters["GlobalAveragePool"] = ImportGlobalPool<GlobalAvgPool>;
  converters["GlobalMaxPool"] = ImportGlobalPool<GlobalMaxPool>;
  converters["LRN"] = ImportLrn;
  converters["LpPool"] = ImportLpPool;
  converters["MaxPool"] = ImportMaxPool;
}

}  // namespace pruner
