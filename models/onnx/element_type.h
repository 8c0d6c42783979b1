// The element types of ONNX's tensors, and those that we make of them.
#ifndef MODELS_ONNX_ELEMENT_TYPE_H_
#define MODELS_ONNX_ELEMENT_TYPE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace pruner {

// What ONNX's element types become.
enum class OnnxElementType {
  kFloat32,  // float, and double, float16 and bfloat16 converted to it
  kInt64,    // all integers
  kBool,
};

// "float", "int64" or "bool".
absl::string_view OnnxElementTypeText(OnnxElementType type);

// Nothing for what we do not read: strings, complex numbers, and numbers of
// eight and less bits but int8 and uint8. `data_type` is one of
// onnx::TensorProto::DataType, or any other number.
std::optional<OnnxElementType> ElementTypeFromOnnx(int data_type);

// "FLOAT16", as ONNX names it, or the number.
std::string OnnxDataTypeName(int data_type);

}  // namespace pruner

#endif  // MODELS_ONNX_ELEMENT_TYPE_H_
