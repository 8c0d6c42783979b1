#include "models/onnx/value_info.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/element_type.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"

namespace pruner {
namespace {

template <typename... Parts>
absl::Status Refuse(const Parts&... why) {
  return absl::InvalidArgumentError(absl::StrCat(why...));
}

std::vector<OnnxDim> DimsOf(const onnx::TensorShapeProto& shape) {
  std::vector<OnnxDim> dims;
  for (const onnx::TensorShapeProto::Dimension& dim : shape.dim()) {
    OnnxDim& added = dims.emplace_back();
    // Some write 0 or -1 for what they do not know.
    if (dim.dim_value() > 0) {
      added.extent = dim.dim_value();
    } else {
      added.symbol = dim.dim_param();
    }
  }
  return dims;
}

}  // namespace

absl::StatusOr<OnnxValueInfo> ReadOnnxValueInfo(
    const onnx::ValueInfoProto& proto, absl::string_view what) {
  if (proto.name().empty())
    return Refuse("an ", what, " of the graph has no name");
  const std::string label = absl::StrCat(what, " \"", proto.name(), "\"");
  if (!proto.type().has_tensor_type()) return Refuse(label, " is no tensor");
  const onnx::TypeProto::Tensor& tensor = proto.type().tensor_type();
  const auto type = ElementTypeFromOnnx(tensor.elem_type());
  if (!type.has_value()) {
    return Refuse(label, " is of type ", OnnxDataTypeName(tensor.elem_type()),
                  ", which is not supported");
  }
  OnnxValueInfo info{.name = proto.name(), .type = *type};
  if (!tensor.has_shape()) return info;
  if (tensor.shape().dim_size() > kMaxOnnxRank) {
    return Refuse(label, " has ", tensor.shape().dim_size(), " dims; at most ",
                  kMaxOnnxRank, " are supported");
  }
  info.dims = DimsOf(tensor.shape());
  return info;
}

}  // namespace pruner
