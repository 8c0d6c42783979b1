#include <algorithm>
#include <cmath>
#include <cstddef>
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
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status SetResized(NodeImport& n, const OnnxValue& input,
                        const Resize& resize) {
  ASSIGN_OR_RETURN(OnnxValue output, n.Apply(resize, {input}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// A resize that changes nothing.
Resize SameSize(const Shape& shape) {
  return {.sizes = shape, .scales = std::vector<double>(shape.size(), 1)};
}

// `what` belongs to `axes`, which may have several numbers each.
absl::Status CheckCount(const NodeImport& n, const char* what, size_t count,
                        size_t expected) {
  if (count == expected) return absl::OkStatus();
  return n.Error(
      absl::StrCat("has ", count, " ", what, ", which must be ", expected));
}

absl::Status SetScales(const NodeImport& n, const std::vector<double>& scales,
                       const std::vector<int64_t>& axes, Resize& resize) {
  RETURN_IF_ERROR(CheckCount(n, "scales", scales.size(), axes.size()));
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t& size = resize.sizes[axes[i]];
    const double scaled = std::floor(static_cast<double>(size) * scales[i]);
    // Not true of what is no number, either.
    if (!(scaled >= 1 && scaled <= static_cast<double>(kMaxTensorElements))) {
      return n.Error(absl::StrCat("scales ", size, " elements by ", scales[i],
                                  ", which is not possible"));
    }
    resize.scales[axes[i]] = scales[i];
    size = static_cast<int64_t>(scaled);
  }
  return absl::OkStatus();
}

// Of sizes that are limits where the ratio of the axes stays.
absl::Status SetSizes(const NodeImport& n, const std::vector<int64_t>& sizes,
                      const std::vector<int64_t>& axes, Resize& resize) {
  RETURN_IF_ERROR(CheckCount(n, "sizes", sizes.size(), axes.size()));
  ASSIGN_OR_RETURN(const std::string policy,
                   n.node().String("keep_aspect_ratio_policy", "stretch"));
  std::vector<double> scales;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (sizes[i] < 1 || sizes[i] > kMaxTensorElements)
      return n.Error(absl::StrCat("has a size of ", sizes[i]));
    scales.push_back(static_cast<double>(sizes[i]) /
                     static_cast<double>(resize.sizes[axes[i]]));
  }
  if (axes.empty()) return absl::OkStatus();
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  const double kept = policy == "not_larger" ? *least : *most;
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    return n.Error(absl::StrCat("has keep_aspect_ratio_policy = ", policy));
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t& size = resize.sizes[axes[i]];
    resize.scales[axes[i]] = policy == "stretch" ? scales[i] : kept;
    size = policy == "stretch" ? sizes[i]
                               : static_cast<int64_t>(std::floor(
                                     kept * static_cast<double>(size) + 0.5));
  }
  return absl::OkStatus();
}

// The part of the input that is resized: all where nothing is said.
absl::Status SetRegion(const NodeImport& n, const std::vector<int64_t>& axes,
                       Resize& resize) {
  if (resize.coordinates != "tf_crop_and_resize") return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<double> roi, n.FloatsOf(1));
  RETURN_IF_ERROR(CheckCount(n, "numbers of roi", roi.size(), 2 * axes.size()));
  const size_t rank = resize.sizes.size();
  resize.roi.assign(rank, 0);
  resize.roi.resize(2 * rank, 1);
  for (size_t i = 0; i < axes.size(); ++i) {
    resize.roi[axes[i]] = roi[i];
    resize.roi[rank + axes[i]] = roi[i + axes.size()];
  }
  return absl::OkStatus();
}

// ONNX aligns the corners of an output whose extent is in * scale, also where
// that is a fraction: its last element is then before the input's. That is a
// region of the input.
void AlignFractions(const Shape& input, Resize& resize) {
  const size_t rank = input.size();
  std::vector<double> roi(rank, 0);
  roi.resize(2 * rank, 1);
  bool has_fraction = false;
  for (size_t d = 0; d < rank; ++d) {
    const auto last = static_cast<double>(resize.sizes[d] - 1);
    const double exact = static_cast<double>(input[d]) * resize.scales[d] - 1;
    // What is less comes of scales being floats.
    if (exact - last <= 1e-5 * exact) continue;
    has_fraction = true;
    roi[rank + d] = last / exact;
  }
  if (!has_fraction) return;
  resize.coordinates = "tf_crop_and_resize";
  resize.roi = std::move(roi);
}

absl::StatusOr<Resize> ReadModes(const NodeImport& n, const Shape& shape) {
  const OnnxNode& node = n.node();
  Resize resize = SameSize(shape);
  ASSIGN_OR_RETURN(resize.mode, node.String("mode", "nearest"));
  ASSIGN_OR_RETURN(resize.coordinates,
                   node.String("coordinate_transformation_mode", "half_pixel"));
  ASSIGN_OR_RETURN(resize.nearest_mode,
                   node.String("nearest_mode", "round_prefer_floor"));
  ASSIGN_OR_RETURN(resize.cubic_coeff_a, node.Float("cubic_coeff_a", -0.75F));
  ASSIGN_OR_RETURN(resize.extrapolation_value,
                   node.Float("extrapolation_value", 0.0F));
  ASSIGN_OR_RETURN(const int64_t exclude, node.Int("exclude_outside", 0));
  resize.exclude_outside = exclude != 0 && resize.mode == "cubic";
  ASSIGN_OR_RETURN(const int64_t antialias, node.Int("antialias", 0));
  if (antialias != 0 && resize.mode != "nearest")
    return n.Error("has antialias = 1, which is not supported");
  return resize;
}

// What Resize of version 10 and Upsample do.
absl::Status ImportOldResize(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"mode", "scales"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  Resize resize = SameSize(input.shape);
  ASSIGN_OR_RETURN(resize.mode, n.node().String("mode", "nearest"));
  if (resize.mode == "bilinear") resize.mode = "linear";
  resize.coordinates = "asymmetric";
  resize.nearest_mode = "floor";
  std::vector<double> scales;
  if (n.HasInput(1)) {
    ASSIGN_OR_RETURN(scales, n.FloatsOf(1));
  } else {
    ASSIGN_OR_RETURN(const std::vector<float> floats,
                     n.node().Floats("scales"));
    scales.assign(floats.begin(), floats.end());
  }
  std::vector<int64_t> axes(input.rank());
  std::iota(axes.begin(), axes.end(), 0);
  RETURN_IF_ERROR(SetScales(n, scales, axes, resize));
  return SetResized(n, input, resize);
}

absl::Status ImportResize(NodeImport& n) {
  if (n.opset() < 11) return ImportOldResize(n);
  RETURN_IF_ERROR(n.node().CheckAttributes(
      {"antialias", "axes", "coordinate_transformation_mode", "cubic_coeff_a",
       "exclude_outside", "extrapolation_value", "keep_aspect_ratio_policy",
       "mode", "nearest_mode"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(Resize resize, ReadModes(n, input.shape));
  std::vector<int64_t> axes(input.rank());
  std::iota(axes.begin(), axes.end(), 0);
  ASSIGN_OR_RETURN(axes, n.node().Ints("axes", axes));
  RETURN_IF_ERROR(n.Axes(axes, input.rank()).status());
  for (int64_t& axis : axes) {
    ASSIGN_OR_RETURN(axis, n.Axis(axis, input.rank()));
  }
  // An input of no elements stands for one that is missing.
  std::vector<double> scales;
  if (n.HasInput(2)) {
    ASSIGN_OR_RETURN(scales, n.FloatsOf(2));
  }
  if (!scales.empty()) {
    RETURN_IF_ERROR(SetScales(n, scales, axes, resize));
    RETURN_IF_ERROR(SetRegion(n, axes, resize));
    if (resize.coordinates == "align_corners")
      AlignFractions(input.shape, resize);
  } else {
    ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, n.IntsOf(3));
    RETURN_IF_ERROR(SetSizes(n, sizes, axes, resize));
    RETURN_IF_ERROR(SetRegion(n, axes, resize));
  }
  return SetResized(n, input, resize);
}

}  // namespace

void AddResizeConverters(Converters& converters) {
  converters["Resize"] = ImportResize;
  converters["Upsample"] = ImportOldResize;
}

}  // namespace pruner
