// One node of an ONNX graph with its attributes.
#ifndef MODELS_ONNX_ONNX_NODE_H_
#define MODELS_ONNX_ONNX_NODE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"

namespace pruner {

using OnnxAttribute =
    std::variant<int64_t, float, std::string, OnnxTensor, std::vector<int64_t>,
                 std::vector<float>, std::vector<std::string>>;

struct OnnxNode {
  // The model's, or the first output's where the model has none.
  std::string name = {};
  std::string op_type = {};
  // "" for ONNX's own operators, also where the model says "ai.onnx".
  std::string domain = {};
  // Tensors; "" for an optional one that is missing.
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::map<std::string, OnnxAttribute, std::less<>> attributes = {};

  // "Conv \"layer1/conv\"", with which errors begin.
  std::string Label() const;
  // InvalidArgument "Conv \"layer1/conv\" <what>".
  absl::Status Error(absl::string_view what) const;

  // Whether the input or output of this index is there.
  bool HasInput(size_t index) const;
  bool HasOutput(size_t index) const;

  // An attribute, or the default if there is none of this name. InvalidArgument
  // if it is of another type, or missing where there is no default.
  bool Has(absl::string_view attribute) const;
  absl::StatusOr<int64_t> Int(
      absl::string_view attribute,
      std::optional<int64_t> otherwise = std::nullopt) const;
  absl::StatusOr<float> Float(
      absl::string_view attribute,
      std::optional<float> otherwise = std::nullopt) const;
  absl::StatusOr<std::string> String(
      absl::string_view attribute,
      std::optional<std::string> otherwise = std::nullopt) const;
  absl::StatusOr<std::vector<int64_t>> Ints(
      absl::string_view attribute,
      std::optional<std::vector<int64_t>> otherwise = std::nullopt) const;
  absl::StatusOr<std::vector<float>> Floats(
      absl::string_view attribute,
      std::optional<std::vector<float>> otherwise = std::nullopt) const;
  absl::StatusOr<std::vector<std::string>> Strings(
      absl::string_view attribute,
      std::optional<std::vector<std::string>> otherwise = std::nullopt) const;
  absl::StatusOr<OnnxTensor> Tensor(absl::string_view attribute) const;

  // InvalidArgument that names the first attribute, by name, that is not among
  // these: who reads a node must know all that it says.
  absl::Status CheckAttributes(absl::Span<const absl::string_view> known) const;
};

// What reads an attribute's tensor; see ReadOnnxTensor.
using OnnxTensorReader = std::function<absl::StatusOr<OnnxTensor>(
    const onnx::TensorProto&, absl::string_view what)>;

// InvalidArgument if the node has no operator or no output, is of a domain that
// is not ONNX's, has an attribute twice, or one that is a graph or what else
// OnnxAttribute has not; also the errors of `read_tensor`.
absl::StatusOr<OnnxNode> ReadOnnxNode(const onnx::NodeProto& proto,
                                      const OnnxTensorReader& read_tensor);

// "" for the domain of ONNX's own operators, which has two names.
std::string CanonicalOnnxDomain(const std::string& domain);

}  // namespace pruner

#endif  // MODELS_ONNX_ONNX_NODE_H_
