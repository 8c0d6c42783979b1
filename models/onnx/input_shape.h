// The shapes of a graph's inputs, and what the user says of those that a model
// leaves open: --input_shape=NAME:1x3x224x224.
#ifndef MODELS_ONNX_INPUT_SHAPE_H_
#define MODELS_ONNX_INPUT_SHAPE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/value_info.h"
#include "models/operators/shape.h"

namespace pruner {

struct OnnxInputShape {
  std::string name;
  Shape shape;
};

// Of "image:1x3x224x224". The name may have colons. InvalidArgument if there is
// no name, or if the shape does not pass CheckShape.
absl::StatusOr<OnnxInputShape> ParseOnnxInputShape(absl::string_view text);

// Fixes the shape of an input; extents of the same symbol become the same in
// all inputs. InvalidArgument if there is no such input, if it has another
// number of dims, or an extent that is fixed already and another.
absl::Status SetInputShape(OnnxGraph& graph, absl::string_view name,
                           const Shape& shape);

// The shape of an input. InvalidArgument that says which flag to give if there
// is an extent that is not known.
absl::StatusOr<Shape> StaticInputShape(const OnnxValueInfo& input);

// "{batch, 3, ?, ?}", or "of unknown rank".
std::string OnnxDimsText(const OnnxValueInfo& info);

}  // namespace pruner

#endif  // MODELS_ONNX_INPUT_SHAPE_H_
