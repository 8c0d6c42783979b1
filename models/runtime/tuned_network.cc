#include "models/runtime/tuned_network.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "models/graph/graph_text.h"
#include "models/runtime/tuned_network.pb.h"
#include "models/zoo/zoo.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {
namespace {

constexpr int kFormatVersion = 1;
constexpr absl::string_view kMark = "pruner tuned network\n";
// No message of Protocol Buffers is larger.
constexpr int64_t kMaxFileBytes = std::numeric_limits<int32_t>::max();

uint64_t HashOf(const std::vector<float>& values) {
  return Fingerprint(
      absl::string_view(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float)));
}

// Moves the values of given constants out of the message.
void TakeOutWeights(const OperatorGraph& graph, proto::TunedNetwork& message) {
  std::map<std::string, uint64_t> hashes;
  for (const auto& [tensor, data] : graph.constants) {
    const auto* given = std::get_if<ExplicitValues>(&data.source);
    if (given != nullptr)
      hashes[graph.tensors[tensor].name] = HashOf(*given->values);
  }
  for (proto::Constant& constant :
       *message.mutable_graph()->mutable_constants()) {
    const auto hash = hashes.find(constant.name());
    if (hash == hashes.end()) continue;
    constant.mutable_values()->Clear();
    proto::AbsentWeights& absent = *message.add_absent_weights();
    absent.set_constant(hash->first);
    absent.set_hash(hash->second);
  }
}

absl::StatusOr<proto::TunedNetwork> Unseal(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, kMaxFileBytes));
  absl::string_view rest = bytes;
  if (!absl::ConsumePrefix(&rest, kMark)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is no tuned network: tune writes them"));
  }
  constexpr size_t kHashDigits = 16;
  const absl::string_view hash = rest.substr(0, kHashDigits);
  rest.remove_prefix(hash.size());
  proto::TunedNetwork message;
  if (hash != absl::StrCat(absl::Hex(Fingerprint(rest), absl::kZeroPad16)) ||
      !message.ParseFromString(rest)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        " is damaged: it does not match its checksum; tune writes it "
        "anew from the records"));
  }
  if (message.format_version() != kFormatVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " is a tuned network of format ", message.format_version(),
        ", and this program reads ", kFormatVersion,
        ": use the program that wrote it, or tune again"));
  }
  return message;
}

// The files in which absent weights may be.
std::vector<std::string> Candidates(const proto::TunedNetwork& message,
                                    const std::string& path,
                                    const std::string& weights_file) {
  if (!weights_file.empty()) return {weights_file};
  const std::string& stored = message.weights_file();
  const std::string name = stored.substr(stored.rfind('/') + 1);
  const std::string beside = absl::StrCat(DirectoryOf(path), "/", name);
  if (beside == stored) return {stored};
  return {stored, beside};
}

// Those that the network was tuned with, of a model that may leave them open.
std::vector<OnnxInputShape> InputShapes(absl::string_view file,
                                        const proto::OperatorGraph& graph) {
  std::vector<OnnxInputShape> shapes;
  if (!absl::EndsWith(file, ".onnx")) return shapes;
  for (const proto::Tensor& input : graph.inputs())
    shapes.push_back(
        {input.name(), {input.shape().begin(), input.shape().end()}});
  return shapes;
}

// The given constants of the first of the files that is there, by name.
absl::StatusOr<std::map<std::string, ExplicitValues>> LoadWeights(
    const std::vector<std::string>& files, absl::string_view path,
    const proto::OperatorGraph& stored, std::string& found) {
  for (const std::string& file : files) {
    if (!FileExists(file)) continue;
    found = file;
    ASSIGN_OR_RETURN(const OperatorGraph graph,
                     LoadModel(file, {}, InputShapes(file, stored)));
    std::map<std::string, ExplicitValues> weights;
    for (const auto& [tensor, data] : graph.constants) {
      const auto* given = std::get_if<ExplicitValues>(&data.source);
      if (given != nullptr) weights[graph.tensors[tensor].name] = *given;
    }
    return weights;
  }
  return absl::NotFoundError(absl::StrCat(
      "the weights of ", path, " are not in it, and not in ",
      absl::StrJoin(files, " or "),
      " either: say where the model's file is with --weights=, or tune with "
      "--embed_weights"));
}

absl::Status PutInWeights(const std::string& path,
                          const std::string& weights_file,
                          proto::TunedNetwork& message) {
  if (message.absent_weights().empty()) return absl::OkStatus();
  std::string found;
  ASSIGN_OR_RETURN(const auto weights,
                   LoadWeights(Candidates(message, path, weights_file), path,
                               message.graph(), found));
  std::map<std::string, uint64_t> hashes;
  for (const proto::AbsentWeights& absent : message.absent_weights())
    hashes[absent.constant()] = absent.hash();
  for (proto::Constant& constant :
       *message.mutable_graph()->mutable_constants()) {
    const auto hash = hashes.find(constant.name());
    if (hash == hashes.end()) continue;
    const auto values = weights.find(constant.name());
    if (values == weights.end() ||
        HashOf(*values->second.values) != hash->second) {
      return absl::FailedPreconditionError(
          absl::StrCat("the weights '", constant.name(), "' in ", found,
                       values == weights.end() ? " are not there"
                                               : " are not those of before",
                       ", and ", path,
                       " was tuned for others: give the file it was tuned "
                       "from with --weights=, or tune again"));
    }
    constant.mutable_values()->mutable_value()->Assign(
        values->second.values->begin(), values->second.values->end());
  }
  return absl::OkStatus();
}

}  // namespace

std::string SerializeTunedNetwork(const TunedNetwork& network,
                                  const WeightsStorage& weights) {
  proto::TunedNetwork message;
  message.set_format_version(kFormatVersion);
  message.set_model(network.model);
  message.set_batch(network.batch);
  *message.mutable_graph() = GraphToProto(network.graph);
  // What has no file has its weights nowhere else.
  if (!weights.embedded && !weights.file.empty())
    TakeOutWeights(network.graph, message);
  if (!message.absent_weights().empty()) message.set_weights_file(weights.file);
  *message.mutable_target() = TargetSpecToProto(network.target);
  for (const TunedKernel& kernel : network.kernels) {
    proto::TunedKernel& added = *message.add_kernels();
    added.set_name(kernel.name);
    added.set_formulation(kernel.formulation);
    added.set_workload(kernel.workload.value);
    *added.mutable_schedule() = ToProto(kernel.schedule);
    added.set_seconds(kernel.seconds);
    added.set_estimated_seconds(kernel.estimated_seconds);
  }
  const std::string content = message.SerializeAsString();
  return absl::StrCat(kMark, absl::Hex(Fingerprint(content), absl::kZeroPad16),
                      content);
}

absl::StatusOr<TunedNetwork> ReadTunedNetwork(const std::string& path,
                                              const std::string& weights_file) {
  ASSIGN_OR_RETURN(proto::TunedNetwork message, Unseal(path));
  RETURN_IF_ERROR(PutInWeights(path, weights_file, message));
  TunedNetwork network;
  network.model = message.model();
  network.batch = message.batch();
  ASSIGN_OR_RETURN(network.graph, GraphFromProto(message.graph()));
  ASSIGN_OR_RETURN(network.target, TargetSpecFromProto(message.target(), path));
  for (const proto::TunedKernel& kernel : message.kernels()) {
    TunedKernel& added = network.kernels.emplace_back();
    added.name = kernel.name();
    added.formulation = kernel.formulation();
    added.workload = {kernel.workload()};
    ASSIGN_OR_RETURN(added.schedule, FromProto(kernel.schedule()));
    added.seconds = kernel.seconds();
    added.estimated_seconds = kernel.estimated_seconds();
  }
  return network;
}

}  // namespace pruner
