// The element types of ONNX's tensors, and those that we make of them.
#ifndef MODELS_ONNX_ELEMENT_TYPE_H_
#define MODELS_ONNX_ELEMENT_TYPE_H_

#include <optional>
#include <string>

#include "models/operators/data_type.h"

namespace pruner {

// What ONNX's element types become: float32 also double, float16 and bfloat16,
// which are converted; int64 all integers. Nothing for what we do not read:
// strings, complex numbers, and numbers of eight and less bits but int8 and
// uint8. `data_type` is one of onnx::TensorProto::DataType, or any other
// number.
std::optional<DataType> ElementTypeFromOnnx(int data_type);

// "FLOAT16", as ONNX names it, or the number.
std::string OnnxDataTypeName(int data_type);

}  // namespace pruner

#endif  // MODELS_ONNX_ELEMENT_TYPE_H_
