#include "models/onnx/element_type.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx.pb.h"

namespace pruner {

using ::onnx::TensorProto;

absl::string_view OnnxElementTypeText(OnnxElementType type) {
  switch (type) {
    case OnnxElementType::kFloat32:
      return "float";
    case OnnxElementType::kInt64:
      return "int64";
    case OnnxElementType::kBool:
      return "bool";
  }
  return "";
}

std::optional<OnnxElementType> ElementTypeFromOnnx(int data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
    case TensorProto::DOUBLE:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
      return OnnxElementType::kFloat32;
    case TensorProto::INT64:
    case TensorProto::INT32:
    case TensorProto::INT16:
    case TensorProto::INT8:
    case TensorProto::UINT64:
    case TensorProto::UINT32:
    case TensorProto::UINT16:
    case TensorProto::UINT8:
      return OnnxElementType::kInt64;
    case TensorProto::BOOL:
      return OnnxElementType::kBool;
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
