// Windows as ONNX describes them: strides, paddings given or chosen.
#ifndef MODELS_ONNX_WINDOW_GEOMETRY_H_
#define MODELS_ONNX_WINDOW_GEOMETRY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/onnx/node_import.h"
#include "models/operators/shape.h"

namespace pruner {

// One number for each spatial dimension, outermost first.
struct WindowGeometry {
  std::vector<int64_t> kernel{};
  std::vector<int64_t> stride{};
  std::vector<int64_t> dilation{};
  std::vector<int64_t> before{};  // paddings; at least 0
  std::vector<int64_t> after{};
  int64_t rank() const { return static_cast<int64_t>(kernel.size()); }
};

// Of a node with the attributes strides, dilations, pads and auto_pad.
// `spatial` are the input's extents. InvalidArgument unless all numbers are
// there and make sense.
absl::StatusOr<WindowGeometry> ReadWindowGeometry(
    const NodeImport& n, const Shape& spatial,
    const std::vector<int64_t>& kernel);

// How many windows there are: as many as fit, or, if `ceil`, as many as begin
// within the input and the padding before it.
std::vector<int64_t> WindowCounts(const WindowGeometry& window,
                                  const Shape& spatial, bool ceil);

}  // namespace pruner

#endif  // MODELS_ONNX_WINDOW_GEOMETRY_H_
