// From an ONNX model to a network.
#ifndef MODELS_ONNX_IMPORTER_H_
#define MODELS_ONNX_IMPORTER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/input_shape.h"
#include "models/onnx/onnx_graph.h"

namespace pruner {

// The network that the graph describes. Inputs and outputs have the model's
// names, types and order; images are {N, C, H, W} there, and become {N, H, W,
// C} where convolutions and poolings read them. What only depends on constants
// is computed here. InvalidArgument, naming the node, its operator and the
// reason, for what cannot be imported; an input whose shape is not known names
// the flag to give.
absl::StatusOr<OperatorGraph> ImportOnnxGraph(const OnnxGraph& graph);

// Reads a model's file, fixes these input shapes and imports it.
absl::StatusOr<OperatorGraph> LoadOnnxModel(
    const std::string& path, const std::vector<OnnxInputShape>& input_shapes);

// The names of the operators that are known.
std::vector<std::string> KnownOnnxOperators();

}  // namespace pruner

#endif  // MODELS_ONNX_IMPORTER_H_
