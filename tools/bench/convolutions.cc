#include "tools/bench/convolutions.h"

#include <algorithm>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/fixed_names.h"
#include "tools/bench/pipeline_parts.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// A convolution's loops, and its window of the padded input.
class Window {
 public:
  explicit Window(const ConvolutionShape& shape) : shape_(shape) {
    const Var names[] = {Var("x"), Var("y"), Var("z")};
    pixel_.assign(names, names + shape.image.size());
  }

  const std::vector<Var>& pixel() const { return pixel_; }

  // Of the output: (size + 2 * padding - reach of the kernel) / stride + 1.
  std::vector<int> OutputSizes() const {
    std::vector<int> sizes;
    for (int size : shape_.image) {
      const int reach = (shape_.kernel - 1) * shape_.dilation + 1;
      sizes.push_back((size + 2 * shape_.padding - reach) / shape_.stride + 1);
    }
    return sizes;
  }

  std::vector<int> KernelSizes() const {
    return std::vector<int>(shape_.image.size(), shape_.kernel);
  }

  std::vector<Padding> ImagePadding() const {
    std::vector<Padding> padding;
    for (int size : shape_.image) padding.push_back({size, shape_.padding});
    return padding;
  }

  // The kernel's dimensions of a reduction domain, from dimension `first` on.
  Indices Kernel(const RDom& r, int first) const {
    Indices indices;
    for (size_t d = 0; d < pixel_.size(); ++d)
      indices.push_back(r[first + static_cast<int>(d)]);
    return indices;
  }

  // The positions in the padded image that the output pixel reads.
  Indices Positions(const Indices& kernel) const {
    Indices positions;
    for (size_t d = 0; d < pixel_.size(); ++d) {
      positions.push_back(pixel_[d] * shape_.stride +
                          kernel[d] * shape_.dilation);
    }
    return positions;
  }

 private:
  const ConvolutionShape& shape_;
  std::vector<Var> pixel_;
};

template <typename T>
std::vector<T> Concat(std::initializer_list<std::vector<T>> parts) {
  std::vector<T> all;
  for (const std::vector<T>& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

RDom Domain(const std::vector<int>& sizes) {
  Halide::Region ranges;
  for (int size : sizes) ranges.emplace_back(0, size);
  return RDom(ranges, "r");
}

// "conv", the sum of the product over its reduction domain.
Func Accumulate(const std::vector<Var>& vars, const Expr& product) {
  Func conv = NamedFunc("conv");
  conv(vars) = 0.0f;
  conv(vars) += product;
  return conv;
}

// The accumulator as it is.
Halide::Pipeline WithIdentity(const Func& conv, const std::vector<Var>& vars,
                              const std::vector<int>& sizes) {
  Func out = NamedFunc("out");
  out(vars) = conv(vars);
  return WithOutput(out, sizes);
}

}  // namespace

std::string ConvolutionShape::ToString() const {
  std::string text;
  for (size_t d = image.size(); d-- > 0;) absl::StrAppend(&text, image[d], "x");
  absl::StrAppend(&text, in_channels);
  if (out_channels != in_channels) absl::StrAppend(&text, ">", out_channels);
  absl::StrAppend(&text, " k", kernel);
  if (stride != 1) absl::StrAppend(&text, " s", stride);
  if (padding != 0) absl::StrAppend(&text, " p", padding);
  if (dilation != 1) absl::StrAppend(&text, " d", dilation);
  if (groups != 1) absl::StrAppend(&text, " g", groups);
  return text;
}

Halide::Pipeline Convolution(const ConvolutionShape& shape,
                             ConvolutionEpilogue epilogue, int lanes) {
  const Window window(shape);
  const int in_group = shape.in_channels / shape.groups;
  const Var c("c"), n("n");
  const auto vars = Concat<Var>({{c}, window.pixel(), {n}});
  const PaddedPipelineInput input(
      DenseInput(
          "input",
          Concat<int>({{shape.in_channels}, shape.image, {shape.batch}})),
      vars,
      Concat<Padding>(
          {{{shape.in_channels}}, window.ImagePadding(), {{shape.batch}}}));
  const RDom r = Domain(Concat<int>({{in_group}, window.KernelSizes()}));
  const Indices kernel = window.Kernel(r, 1);
  const PackedWeights weights(shape.out_channels,
                              Concat<int>({{in_group}, window.KernelSizes()}),
                              lanes);
  const Expr channel =
      shape.groups == 1
          ? Expr(r[0])
          : c / (shape.out_channels / shape.groups) * in_group + r[0];
  const Func conv = Accumulate(
      vars, input(Concat<Expr>({{channel}, window.Positions(kernel), {n}})) *
                weights(c, Concat<Expr>({{r[0]}, kernel})));
  const auto sizes =
      Concat<int>({{shape.out_channels}, window.OutputSizes(), {shape.batch}});
  if (epilogue == ConvolutionEpilogue::kNone)
    return WithIdentity(conv, vars, sizes);
  const Halide::ImageParam bias = DenseInput("bias", {shape.out_channels});
  const Halide::ImageParam scale = DenseInput("scale", {shape.out_channels});
  const Halide::ImageParam offset = DenseInput("offset", {shape.out_channels});
  Func out = NamedFunc("out");
  out(vars) = Halide::max((conv(vars) + bias(c)) * scale(c) + offset(c), 0.0f);
  return WithOutput(out, sizes);
}

Halide::Pipeline DepthwiseConvolution(const ConvolutionShape& shape) {
  const Window window(shape);
  const Var c("c"), n("n");
  const auto vars = Concat<Var>({{c}, window.pixel(), {n}});
  const PaddedPipelineInput input(
      DenseInput(
          "input",
          Concat<int>({{shape.in_channels}, shape.image, {shape.batch}})),
      vars,
      Concat<Padding>(
          {{{shape.in_channels}}, window.ImagePadding(), {{shape.batch}}}));
  const Halide::ImageParam weights = DenseInput(
      "weights", Concat<int>({{shape.in_channels}, window.KernelSizes()}));
  const Indices kernel = window.Kernel(Domain(window.KernelSizes()), 0);
  const Func conv = Accumulate(
      vars, input(Concat<Expr>({{c}, window.Positions(kernel), {n}})) *
                weights(Concat<Expr>({{c}, kernel})));
  return WithIdentity(
      conv, vars,
      Concat<int>({{shape.in_channels}, window.OutputSizes(), {shape.batch}}));
}

Halide::Pipeline TransposedConvolution(const ConvolutionShape& shape,
                                       int lanes) {
  CHECK_EQ(shape.kernel % shape.stride, 0);
  const int stride = shape.stride, taps = shape.kernel / shape.stride;
  const Var c("c"), x("x"), y("y"), n("n");
  const std::vector<Var> vars = {c, x, y, n};
  const PaddedPipelineInput input(
      DenseInput("input", {shape.in_channels, shape.image[0], shape.image[1],
                           shape.batch}),
      vars,
      {{shape.in_channels},
       {shape.image[0], taps - 1},
       {shape.image[1], taps - 1},
       {shape.batch}});
  const RDom r = Domain({shape.in_channels, taps, taps});
  const PackedWeights weights(shape.out_channels,
                              {shape.in_channels, taps, taps, stride, stride},
                              lanes);
  const Expr from_x = x + shape.padding, from_y = y + shape.padding;
  const Func conv = Accumulate(
      vars,
      input({r[0], (from_x + r[1] * stride) / stride,
             (from_y + r[2] * stride) / stride, n}) *
          weights(c, {r[0], r[1], r[2], from_x % stride, from_y % stride}));
  std::vector<int> sizes = {shape.out_channels};
  for (int size : shape.image)
    sizes.push_back((size - 1) * stride - 2 * shape.padding + shape.kernel);
  sizes.push_back(shape.batch);
  return WithIdentity(conv, vars, sizes);
}

Halide::Pipeline CapsuleConvolution(const ConvolutionShape& shape, int lanes) {
  constexpr int kPose = 4;  // rows and columns of a matrix
  const Window window(shape);
  const Var c("c"), j("j"), i("i"), n("n");
  const auto vars = Concat<Var>({{c, j, i}, window.pixel(), {n}});
  const PaddedPipelineInput input(
      DenseInput("input", Concat<int>({{shape.in_channels, kPose, kPose},
                                       shape.image,
                                       {shape.batch}})),
      vars,
      Concat<Padding>({{{shape.in_channels}, {kPose}, {kPose}},
                       window.ImagePadding(),
                       {{shape.batch}}}));
  const RDom r =
      Domain(Concat<int>({{shape.in_channels, kPose}, window.KernelSizes()}));
  const Indices kernel = window.Kernel(r, 2);
  const PackedWeights weights(
      shape.out_channels,
      Concat<int>({{shape.in_channels, kPose, kPose}, window.KernelSizes()}),
      lanes);
  const Func conv = Accumulate(
      vars,
      input(Concat<Expr>({{r[0], r[1], i}, window.Positions(kernel), {n}})) *
          weights(c, Concat<Expr>({{r[0], j, r[1]}, kernel})));
  return WithIdentity(conv, vars,
                      Concat<int>({{shape.out_channels, kPose, kPose},
                                   window.OutputSizes(),
                                   {shape.batch}}));
}

}  // namespace pruner
