// What ONNX's operators become. Each converter reads the node's inputs and
// attributes and sets its outputs; InvalidArgument, naming the node, for what
// it does not know.
#ifndef MODELS_ONNX_CONVERTERS_H_
#define MODELS_ONNX_CONVERTERS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "models/onnx/node_import.h"

namespace pruner {

using Converter = absl::Status (*)(NodeImport& node);
using Converters = absl::flat_hash_map<absl::string_view, Converter>;

// Each adds its own by the names of ONNX's operators.
void AddEinsumConverter(Converters& converters);
void AddElementwiseConverters(Converters& converters);
void AddWindowConverters(Converters& converters);
void AddMatrixConverters(Converters& converters);
void AddNormalizationConverters(Converters& converters);
void AddMovementConverters(Converters& converters);
void AddViewConverters(Converters& converters);
void AddIndexingConverters(Converters& converters);
void AddReductionConverters(Converters& converters);
void AddResizeConverters(Converters& converters);
void AddShapeConverters(Converters& converters);

}  // namespace pruner

#endif  // MODELS_ONNX_CONVERTERS_H_
