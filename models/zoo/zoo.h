// The networks that are known by name.
#ifndef MODELS_ZOO_ZOO_H_
#define MODELS_ZOO_ZOO_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/input_shape.h"
#include "models/zoo/options.h"

namespace pruner {

// Their names, sorted.
std::vector<std::string> KnownModels();

// Whether LoadModel takes it for the path of a file, by its end.
bool IsModelFile(absl::string_view name);

// A network of the zoo by its name, or one from a file: an ONNX model, whose
// name ends in ".onnx", or proto::OperatorGraph's text, in ".txtpb". NotFound,
// listing what is known, for any other name; the file system's or the parser's
// error, naming the file, otherwise. A file has its own weights, so that the
// seed does not matter, and its own batch: InvalidArgument if another than 1 is
// asked for, or if shapes are given for inputs of what is no ONNX model.
absl::StatusOr<OperatorGraph> LoadModel(
    absl::string_view name_or_path, const ModelOptions& options,
    const std::vector<OnnxInputShape>& input_shapes = {});

}  // namespace pruner

#endif  // MODELS_ZOO_ZOO_H_
