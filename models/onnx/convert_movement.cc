#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Also where no elements are left, which only values that are known may have.
absl::StatusOr<OnnxValue> ApplySlice(NodeImport& n, const OnnxValue& value,
                                     const Slice& slice) {
  if (std::count(slice.extents.begin(), slice.extents.end(), 0) > 0)
    return KnownEmpty(slice.extents, value.type);
  if (slice.extents == value.shape &&
      std::count(slice.steps.begin(), slice.steps.end(), 1) == value.rank()) {
    return value;
  }
  return n.Apply(slice, {value});
}

Slice WholeSlice(const Shape& shape) {
  return {.starts = std::vector<int64_t>(shape.size(), 0),
          .extents = shape,
          .steps = std::vector<int64_t>(shape.size(), 1)};
}

absl::Status ImportTranspose(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"perm"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  std::vector<int64_t> all(input.rank());
  std::iota(all.begin(), all.end(), 0);
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> perm,
      n.node().Ints("perm", std::vector<int64_t>(all.rbegin(), all.rend())));
  std::vector<int64_t> sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != all) {
    return n.Error(absl::StrCat("has perm = ", ShapeText(perm),
                                ", which does not have each of ", all.size(),
                                " dimensions once"));
  }
  ASSIGN_OR_RETURN(OnnxValue output, n.Transpose(input, perm));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportConcat(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  ASSIGN_OR_RETURN(const OnnxValue first, n.Input(0));
  ASSIGN_OR_RETURN(const int64_t given, n.node().Int("axis"));
  ASSIGN_OR_RETURN(const int64_t axis, n.Axis(given, first.rank()));
  std::vector<OnnxValue> parts;
  for (int i = 0; i < n.inputs(); ++i) {
    ASSIGN_OR_RETURN(OnnxValue part, n.Input(i));
    // Lists of extents may begin with one that is empty.
    const bool is_empty = part.rank() == first.rank() && part.shape[axis] == 0;
    if (!is_empty) parts.push_back(std::move(part));
  }
  if (parts.empty()) return n.Error("has inputs without elements only");
  if (parts.size() == 1) {
    n.SetOutput(0, std::move(parts[0]));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(OnnxValue output, n.Apply(Concat{axis}, parts));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// The extents of `parts` outputs, all but the last of one size.
absl::StatusOr<std::vector<int64_t>> EqualParts(NodeImport& n, int64_t extent,
                                                int64_t parts) {
  const bool may_differ = n.opset() >= 18;
  if (!may_differ && extent % parts != 0) {
    return n.Error(absl::StrCat("cannot split ", extent, " elements into ",
                                parts, " equal parts"));
  }
  const int64_t size = (extent + parts - 1) / parts;
  std::vector<int64_t> sizes(parts, size);
  sizes.back() = extent - (parts - 1) * size;
  return sizes;
}

absl::Status ImportSplit(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis", "num_outputs", "split"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const int64_t given, n.node().Int("axis", 0));
  ASSIGN_OR_RETURN(const int64_t axis, n.Axis(given, input.rank()));
  const auto outputs = static_cast<int64_t>(n.node().outputs.size());
  ASSIGN_OR_RETURN(const int64_t parts, n.node().Int("num_outputs", outputs));
  ASSIGN_OR_RETURN(std::vector<int64_t> sizes, n.IntsOf("split", 1, {}));
  if (sizes.empty()) {
    ASSIGN_OR_RETURN(sizes, EqualParts(n, input.shape[axis], outputs));
  }
  int64_t rest = input.shape[axis];
  for (const int64_t size : sizes) {
    if (size < 0 || size > rest) {
      return n.Error(absl::StrCat("has split = ", ShapeText(sizes), " of ",
                                  input.shape[axis], " elements"));
    }
    rest -= size;
  }
  if (rest != 0 || static_cast<int64_t>(sizes.size()) != outputs ||
      parts != outputs) {
    return n.Error(absl::StrCat("splits ", input.shape[axis],
                                " elements into parts of ", ShapeText(sizes),
                                " for ", outputs, " outputs"));
  }
  Slice slice = WholeSlice(input.shape);
  for (int64_t i = 0; i < outputs; ++i) {
    slice.extents[axis] = sizes[i];
    ASSIGN_OR_RETURN(OnnxValue output, ApplySlice(n, input, slice));
    n.SetOutput(i, std::move(output));
    slice.starts[axis] += sizes[i];
  }
  return absl::OkStatus();
}

// What elements first, first + step, ... before `end` are of a dimension, with
// numbers as ONNX has them: negative ones count from the end, and what is
// outside is the nearest that is inside.
void SetRange(int64_t first, int64_t end, int64_t step, size_t d,
              Slice& slice) {
  const int64_t extent = slice.extents[d];
  if (extent == 0) return;
  if (first < 0) first += extent;
  if (end < 0) end += extent;
  // A larger step leads outside as well.
  step = std::clamp(step, -kMaxTensorElements, kMaxTensorElements);
  const int64_t lowest = step > 0 ? 0 : -1;
  const int64_t highest = step > 0 ? extent : extent - 1;
  first = std::clamp<int64_t>(first, 0, highest);
  end = std::clamp(end, lowest, highest);
  const int64_t distance = step > 0 ? end - first : first - end;
  const int64_t stride = std::abs(step);
  slice.starts[d] = first;
  slice.steps[d] = step;
  slice.extents[d] = distance <= 0 ? 0 : (distance + stride - 1) / stride;
}

absl::Status ImportSlice(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axes", "ends", "starts"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const std::vector<int64_t> starts,
                   n.IntsOf("starts", 1, {}));
  ASSIGN_OR_RETURN(const std::vector<int64_t> ends, n.IntsOf("ends", 2, {}));
  const size_t count = starts.size();
  if (ends.size() != count || count > input.shape.size()) {
    return n.Error(absl::StrCat("has ", count, " starts and ", ends.size(),
                                " ends for ", input.rank(), " dimensions"));
  }
  std::vector<int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  ASSIGN_OR_RETURN(axes, n.IntsOf("axes", 3, axes));
  std::vector<int64_t> steps(count, 1);
  if (n.HasInput(4)) {
    ASSIGN_OR_RETURN(steps, n.IntsOf(4));
  }
  RETURN_IF_ERROR(n.Axes(axes, input.rank()).status());
  if (axes.size() != count || steps.size() != count) {
    return n.Error(absl::StrCat("has ", count, " starts, ", axes.size(),
                                " axes and ", steps.size(), " steps"));
  }
  Slice slice = WholeSlice(input.shape);
  for (size_t i = 0; i < count; ++i) {
    if (steps[i] == 0) return n.Error("has a step of 0");
    ASSIGN_OR_RETURN(const int64_t axis, n.Axis(axes[i], input.rank()));
    SetRange(starts[i], ends[i], steps[i], axis, slice);
  }
  ASSIGN_OR_RETURN(OnnxValue output, ApplySlice(n, input, slice));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// Before one dimension of more than 1 that repeats there is put one to repeat.
absl::StatusOr<OnnxValue> Repeat(NodeImport& n, const OnnxValue& input,
                                 const std::vector<int64_t>& repeats) {
  Shape apart, repeated, output;
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t extent = input.shape[d];
    if (repeats[d] < 1 || repeats[d] > kMaxTensorElements)
      return n.Error(absl::StrCat("has a repeat of ", repeats[d]));
    if (repeats[d] > 1) {
      apart.push_back(1);
      repeated.push_back(repeats[d]);
    }
    if (repeats[d] == 1 || extent > 1) {
      apart.push_back(extent);
      repeated.push_back(extent);
    }
    output.push_back(repeats[d] * extent);
  }
  ASSIGN_OR_RETURN(const OnnxValue steps, n.Reshape(input, apart));
  ASSIGN_OR_RETURN(const OnnxValue all, n.Expand(steps, repeated));
  return n.Reshape(all, output);
}

absl::Status ImportTile(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const std::vector<int64_t> repeats, n.IntsOf(1));
  if (static_cast<int64_t>(repeats.size()) != input.rank()) {
    return n.Error(absl::StrCat("has ", repeats.size(), " repeats for ",
                                input.rank(), " dimensions"));
  }
  ASSIGN_OR_RETURN(OnnxValue output, Repeat(n, input, repeats));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// Negative borders are taken away first.
absl::StatusOr<OnnxValue> ApplyPad(NodeImport& n, const OnnxValue& input,
                                   Pad pad) {
  Slice slice = WholeSlice(input.shape);
  bool grows = false;
  for (size_t d = 0; d < input.shape.size(); ++d) {
    slice.starts[d] = std::max<int64_t>(0, -pad.before[d]);
    slice.extents[d] -= slice.starts[d] + std::max<int64_t>(0, -pad.after[d]);
    if (slice.extents[d] < 1)
      return n.Error(absl::StrCat("takes all of dimension ", d, " away"));
    pad.before[d] = std::max<int64_t>(0, pad.before[d]);
    pad.after[d] = std::max<int64_t>(0, pad.after[d]);
    grows |= pad.before[d] > 0 || pad.after[d] > 0;
  }
  ASSIGN_OR_RETURN(OnnxValue inside, ApplySlice(n, input, slice));
  if (!grows) return inside;
  return n.Apply(pad, {inside});
}

// The numbers of all dimensions, of those that are given for some.
absl::StatusOr<Pad> Borders(NodeImport& n, int64_t rank) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> pads, n.IntsOf("pads", 1, {}));
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (n.HasInput(3)) {
    ASSIGN_OR_RETURN(axes, n.IntsOf(3));
  }
  RETURN_IF_ERROR(n.Axes(axes, rank).status());
  if (pads.size() != 2 * axes.size()) {
    return n.Error(absl::StrCat("has ", pads.size(), " pads for ", axes.size(),
                                " axes, each of which needs 2"));
  }
  Pad pad{.before = std::vector<int64_t>(rank, 0),
          .after = std::vector<int64_t>(rank, 0)};
  for (size_t i = 0; i < axes.size(); ++i) {
    for (const int64_t width : {pads[i], pads[i + axes.size()]}) {
      if (std::max(width, -(width + 1)) > kMaxTensorElements)
        return n.Error(absl::StrCat("has a pad of ", width));
    }
    ASSIGN_OR_RETURN(const int64_t axis, n.Axis(axes[i], rank));
    pad.before[axis] = pads[i];
    pad.after[axis] = pads[i + axes.size()];
  }
  return pad;
}

absl::Status ImportPad(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"mode", "pads", "value"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(Pad pad, Borders(n, input.rank()));
  ASSIGN_OR_RETURN(pad.mode, n.node().String("mode", "constant"));
  ASSIGN_OR_RETURN(pad.value, n.node().Float("value", 0.0F));
  if (n.HasInput(2)) {
    ASSIGN_OR_RETURN(pad.value, n.ScalarOf(2));
  }
  // Before a maximum there are infinities, for which, as in constants, the
  // largest number is as good.
  if (input.type == DataType::kFloat32) {
    pad.value =
        std::clamp<double>(pad.value, std::numeric_limits<float>::lowest(),
                           std::numeric_limits<float>::max());
  }
  ASSIGN_OR_RETURN(OnnxValue output, ApplyPad(n, input, std::move(pad)));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportCenterCropPad(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axes"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const Shape wanted, n.ShapeFrom(1));
  std::vector<int64_t> axes(input.rank());
  std::iota(axes.begin(), axes.end(), 0);
  ASSIGN_OR_RETURN(axes, n.node().Ints("axes", axes));
  RETURN_IF_ERROR(n.Axes(axes, input.rank()).status());
  if (axes.size() != wanted.size()) {
    return n.Error(absl::StrCat("has ", wanted.size(), " extents for ",
                                axes.size(), " axes"));
  }
  Pad pad{.before = std::vector<int64_t>(input.rank(), 0),
          .after = std::vector<int64_t>(input.rank(), 0)};
  for (size_t i = 0; i < axes.size(); ++i) {
    ASSIGN_OR_RETURN(const int64_t axis, n.Axis(axes[i], input.rank()));
    if (wanted[i] < 1 || wanted[i] > kMaxTensorElements)
      return n.Error(absl::StrCat("wants an extent of ", wanted[i]));
    const int64_t added = wanted[i] - input.shape[axis];
    pad.before[axis] = added / 2;
    pad.after[axis] = added - added / 2;
  }
  ASSIGN_OR_RETURN(OnnxValue output, ApplyPad(n, input, std::move(pad)));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

}  // namespace

void AddMovementConverters(Converters& converters) {
  converters["CenterCropPad"] = ImportCenterCropPad;
  converters["Concat"] = ImportConcat;
  converters["Pad"] = ImportPad;
  converters["Slice"] = ImportSlice;
  converters["Split"] = ImportSplit;
  converters["Tile"] = ImportTile;
  converters["Transpose"] = ImportTranspose;
}

}  // namespace pruner
