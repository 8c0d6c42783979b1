// The values of ONNX's tensors: weights and other constants.
#ifndef MODELS_ONNX_TENSOR_DATA_H_
#define MODELS_ONNX_TENSOR_DATA_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/onnx/element_type.h"
#include "models/operators/shape.h"
#include "onnx/onnx.pb.h"

namespace pruner {

struct OnnxTensor {
  DataType type = DataType::kFloat32;
  // None for a scalar; extents may be 0.
  Shape dims = {};
  // The values in row-major order, as many as the product of the dims. Those of
  // kFloat32; else null.
  std::shared_ptr<const std::vector<float>> floats = nullptr;
  // Those of kInt64, and of kBool as 0 and 1.
  std::vector<int64_t> ints = {};
};

// More dims than this are refused; numpy has no more either.
inline constexpr int kMaxOnnxRank = 64;

// The number of a tensor's elements by its dims. InvalidArgument if a dim is
// negative, if there are more than kMaxOnnxRank, or if those that are not 0
// make more than kMaxTensorElements. `what` is the tensor in errors, as
// "initializer \"w\"".
absl::StatusOr<int64_t> OnnxElementCount(const onnx::TensorProto& tensor,
                                         absl::string_view what);

// Reads the values. A double is rounded to the
// nearest float, infinity if there is none. External data is read from
// `folder`, which the model is in, and from no other (FolderFile); no folder
// means there is none. InvalidArgument, before there is memory for them, if the
// values are not as many as the dims say, or not of the type; also the errors
// of OnnxElementCount and of FolderFile. Each begins with `what`.
absl::StatusOr<OnnxTensor> ReadOnnxTensor(
    const onnx::TensorProto& tensor, const std::optional<std::string>& folder,
    absl::string_view what);

}  // namespace pruner

#endif  // MODELS_ONNX_TENSOR_DATA_H_
