// ONNX files, read as the messages they are.
#ifndef MODELS_ONNX_MODEL_FILE_H_
#define MODELS_ONNX_MODEL_FILE_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx.pb.h"

namespace pruner {

// The most bytes that Protocol Buffers read as one message. Larger networks
// keep their weights in files beside the model.
inline constexpr int64_t kMaxOnnxModelBytes =
    std::numeric_limits<int32_t>::max();

// Reads a model's file; weights in files beside it are not read yet. NotFound
// if there is no such file; InvalidArgument if it is larger than
// kMaxOnnxModelBytes, cut short, no ONNX model, or of a format that is newer
// than the one we know. Each error is a sentence that begins with the path.
absl::StatusOr<onnx::ModelProto> ReadOnnxModel(const std::string& path);

// The same of a file's content; `what` is the model in errors.
absl::StatusOr<onnx::ModelProto> ParseOnnxModel(absl::string_view bytes,
                                                absl::string_view what);

}  // namespace pruner

#endif  // MODELS_ONNX_MODEL_FILE_H_
