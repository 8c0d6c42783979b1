#include "models/onnx/window_geometry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::StatusOr<std::vector<int64_t>> Numbers(const NodeImport& n,
                                             absl::string_view attribute,
                                             size_t count, int64_t otherwise) {
  ASSIGN_OR_RETURN(
      std::vector<int64_t> numbers,
      n.node().Ints(attribute, std::vector<int64_t>(count, otherwise)));
  if (numbers.size() != count)
    return n.Error(absl::StrCat("has ", numbers.size(), " numbers as ",
                                attribute, ", not ", count));
  for (const int64_t number : numbers) {
    if (number < otherwise || number > kMaxAttribute)
      return n.Error(absl::StrCat("has ", attribute, " of ", number));
  }
  return numbers;
}

// As many windows as strides fit the input.
void PadToSame(const Shape& spatial, bool more_before, WindowGeometry& window) {
  for (size_t d = 0; d < spatial.size(); ++d) {
    const int64_t count =
        (spatial[d] + window.stride[d] - 1) / window.stride[d];
    const int64_t reach = (count - 1) * window.stride[d] +
                          (window.kernel[d] - 1) * window.dilation[d] + 1;
    const int64_t total = std::max<int64_t>(reach - spatial[d], 0);
    window.before[d] = more_before ? total - total / 2 : total / 2;
    window.after[d] = total - window.before[d];
  }
}

}  // namespace

absl::StatusOr<WindowGeometry> ReadWindowGeometry(
    const NodeImport& n, const Shape& spatial,
    const std::vector<int64_t>& kernel) {
  const size_t rank = spatial.size();
  WindowGeometry window = {.kernel = kernel};
  if (kernel.size() != rank)
    return n.Error(absl::StrCat("has a kernel of ", kernel.size(),
                                " dimensions on an input of ", rank));
  for (const int64_t extent : kernel) {
    if (extent < 1 || extent > kMaxAttribute)
      return n.Error(absl::StrCat("has a kernel of extent ", extent));
  }
  ASSIGN_OR_RETURN(window.stride, Numbers(n, "strides", rank, 1));
  ASSIGN_OR_RETURN(window.dilation, Numbers(n, "dilations", rank, 1));
  ASSIGN_OR_RETURN(const std::vector<int64_t> pads,
                   Numbers(n, "pads", 2 * rank, 0));
  window.before.assign(pads.begin(), pads.begin() + static_cast<int64_t>(rank));
  window.after.assign(pads.begin() + static_cast<int64_t>(rank), pads.end());
  ASSIGN_OR_RETURN(const std::string auto_pad,
                   n.node().String("auto_pad", "NOTSET"));
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
    PadToSame(spatial, auto_pad == "SAME_LOWER", window);
  } else if (auto_pad == "VALID") {
    window.before.assign(rank, 0);
    window.after.assign(rank, 0);
  } else if (auto_pad != "NOTSET" && !auto_pad.empty()) {
    return n.Error(absl::StrCat("has auto_pad = \"", auto_pad, "\""));
  }
  return window;
}

std::vector<int64_t> WindowCounts(const WindowGeometry& window,
                                  const Shape& spatial, bool ceil) {
  std::vector<int64_t> counts;
  for (size_t d = 0; d < spatial.size(); ++d) {
    const int64_t stride = window.stride[d];
    const int64_t room = spatial[d] + window.before[d] + window.after[d] -
                         (window.kernel[d] - 1) * window.dilation[d] - 1;
    int64_t count = room < 0 ? 0 : room / stride + 1;
    if (ceil && room >= 0 && room % stride != 0 &&
        count * stride < spatial[d] + window.before[d]) {
      ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

}  // namespace pruner
