#include "models/onnx/model_file.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::google::protobuf::internal::WireFormatLite;

// Whether bytes that begin as models do, with the version of the format, end
// within a field. Others are no model at all.
bool IsCutShort(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, "\x08")) return false;
  google::protobuf::io::CodedInputStream input(
      reinterpret_cast<const uint8_t*>(bytes.data()),
      static_cast<int>(bytes.size()));
  while (const uint32_t tag = input.ReadTag()) {
    if (WireFormatLite::GetTagWireType(tag) !=
        WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      if (!WireFormatLite::SkipField(&input, tag)) return false;
      continue;
    }
    uint32_t length;
    if (!input.ReadVarint32(&length)) return true;
    const auto left =
        static_cast<int64_t>(bytes.size()) - input.CurrentPosition();
    if (length > left || !input.Skip(static_cast<int>(length))) return true;
  }
  return false;
}

absl::Status TooLarge(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is larger than 2 GiB, the most that an ONNX model ",
                   "can be; export it with its weights as external data"));
}

}  // namespace

absl::StatusOr<onnx::ModelProto> ParseOnnxModel(absl::string_view bytes,
                                                absl::string_view what) {
  const auto refuse = [&](const auto&... why) {
    return absl::InvalidArgumentError(absl::StrCat(what, " ", why...));
  };
  if (bytes.empty()) return refuse("is empty, not an ONNX model");
  if (bytes.size() > kMaxOnnxModelBytes) return TooLarge(what);
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    if (IsCutShort(bytes)) {
      return refuse("is cut short: it ends within the ONNX model, after ",
                    bytes.size(), " bytes");
    }
    return refuse("is not an ONNX model");
  }
  if (!model.has_ir_version()) {
    return refuse("is not an ONNX model: it has no version of the format");
  }
  if (model.ir_version() > onnx::IR_VERSION) {
    return refuse("has version ", model.ir_version(),
                  " of the ONNX format; known are those up to ",
                  static_cast<int>(onnx::IR_VERSION));
  }
  if (!model.has_graph()) {
    return refuse("is not an ONNX model, or cut short: it has no graph");
  }
  return model;
}

absl::StatusOr<onnx::ModelProto> ReadOnnxModel(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path, kMaxOnnxModelBytes);
  if (absl::IsOutOfRange(bytes.status())) return TooLarge(path);
  if (!bytes.ok()) return bytes.status();
  return ParseOnnxModel(*bytes, path);
}

}  // namespace pruner
