#include "models/onnx/element_type.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "onnx/onnx.pb.h"

namespace pruner {

using ::onnx::TensorProto;

std::optional<DataType> ElementTypeFromOnnx(int data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
    case TensorProto::DOUBLE:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
      return DataType::kFloat32;
    case TensorProto::INT64:
    case TensorProto::INT32:
    case TensorProto::INT16:
    case TensorProto::INT8:
    case TensorProto::UINT64:
    case TensorProto::UINT32:
    case TensorProto::UINT16:
    case TensorProto::UINT8:
      return DataType::kInt64;
    case TensorProto::BOOL:
      return DataType::kBool;
    default:
      return std::nullopt;
  }
}

std::string OnnxDataTypeName(int data_type) {
  if (!TensorProto::DataType_IsValid(data_type)) {
    return absl::StrCat(data_type);
  }
  return TensorProto::DataType_Name(
      static_cast<TensorProto::DataType>(data_type));
}

}  // namespace pruner
