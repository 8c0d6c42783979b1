#include "models/job/export_network.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/json_util.h"
#include "models/graph/constant.h"
#include "models/graph/graph_text.h"
#include "models/graph/interpreter.h"
#include "models/job/exported_network.pb.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"

namespace pruner {
namespace {

// Written first: it tells whose the others are.
constexpr char kGraphFile[] = "graph.json";
constexpr char kConstantsFile[] = "constants.f32";
constexpr char kInputFile[] = "input.f32";
constexpr char kExpectedFile[] = "expected.f64";

// Whether ExportNetwork wrote the file.
bool IsGraph(const std::string& path) {
  constexpr int64_t kMaxBytes = int64_t{64} << 20;
  const absl::StatusOr<std::string> json = ReadFile(path, kMaxBytes);
  proto::ExportedNetwork network;
  return json.ok() &&
         google::protobuf::util::JsonStringToMessage(*json, &network).ok() &&
         network.has_graph();
}

template <typename Number>
void AppendRaw(absl::Span<const Number> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()),
               values.size() * sizeof(Number));
}

std::string GraphJson(const OperatorGraph& graph) {
  proto::ExportedNetwork network;
  *network.mutable_graph() = GraphToProto(graph);
  for (proto::Constant& constant :
       *network.mutable_graph()->mutable_constants()) {
    constant.clear_source();
    constant.clear_channel_factor();
    constant.clear_channel_offset();
  }
  for (const Tensor& tensor : graph.tensors) {
    proto::Tensor* const added = network.add_tensors();
    added->set_name(tensor.name);
    added->mutable_shape()->Add(tensor.shape.begin(), tensor.shape.end());
    added->set_type(TypeToProto(tensor.type));
  }
  return ToJson(network, {.all_fields = false});
}

std::string ConstantBytes(const OperatorGraph& graph) {
  std::string bytes;
  for (const auto& [tensor, data] : graph.constants) {
    const std::vector<double> values =
        MaterializeConstant(data, graph.ShapeOf(tensor));
    const TensorBuffer rounded({graph.TypeOf(tensor), values.size()});
    rounded.view().Assign(values);
    bytes.append(static_cast<const char*>(rounded.data()),
                 rounded.spec().bytes());
  }
  return bytes;
}

absl::StatusOr<std::string> ExpectedBytes(const OperatorGraph& graph,
                                          absl::Span<const TensorBuffer> inputs,
                                          int threads) {
  std::vector<Array> arrays;
  for (size_t i = 0; i < inputs.size(); ++i) {
    arrays.push_back(
        {graph.ShapeOf(graph.inputs[i]), inputs[i].view().Values()});
  }
  ASSIGN_OR_RETURN(const std::vector<Array> outputs,
                   RunGraph(graph, arrays, {.threads = threads}));
  std::string bytes;
  for (const Array& output : outputs)
    AppendRaw(absl::MakeConstSpan(output.values), bytes);
  return bytes;
}

}  // namespace

absl::Status CheckExportFolder(const std::string& folder) {
  if (IsGraph(absl::StrCat(folder, "/", kGraphFile))) return absl::OkStatus();
  for (const char* const name :
       {kGraphFile, kConstantsFile, kInputFile, kExpectedFile}) {
    const std::string path = absl::StrCat(folder, "/", name);
    if (FileExists(path)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path,
                       " is not of an exported network: move it away or choose "
                       "another folder"));
    }
  }
  return absl::OkStatus();
}

absl::Status ExportNetwork(const NetworkJob& job,
                           absl::Span<const TensorBuffer> inputs, int threads,
                           const std::string& folder) {
  RETURN_IF_ERROR(MakeDirectories(folder));
  std::string input_bytes;
  for (const TensorBuffer& input : inputs) {
    input_bytes.append(static_cast<const char*>(input.data()),
                       input.spec().bytes());
  }
  ASSIGN_OR_RETURN(const std::string expected,
                   ExpectedBytes(job.original, inputs, threads));
  for (const auto& [name, bytes] : {
           std::pair<const char*, std::string>(kGraphFile,
                                               GraphJson(job.graph)),
           {kConstantsFile, ConstantBytes(job.graph)},
           {kInputFile, std::move(input_bytes)},
           {kExpectedFile, expected},
       }) {
    RETURN_IF_ERROR(
        WriteFileAtomically(absl::StrCat(folder, "/", name), bytes));
  }
  return absl::OkStatus();
}

}  // namespace pruner
