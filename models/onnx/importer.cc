#include "models/onnx/importer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/onnx/converters.h"
#include "models/onnx/model_file.h"
#include "models/onnx/node_import.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

const Converters& AllConverters() {
  static const Converters* const kAll = [] {
    auto* const converters = new Converters();
    AddEinsumConverter(*converters);
    AddElementwiseConverters(*converters);
    AddWindowConverters(*converters);
    AddMatrixConverters(*converters);
    AddNormalizationConverters(*converters);
    AddMovementConverters(*converters);
    AddViewConverters(*converters);
    AddIndexingConverters(*converters);
    AddReductionConverters(*converters);
    AddResizeConverters(*converters);
    AddShapeConverters(*converters);
    return converters;
  }();
  return *kAll;
}

absl::Status ImportInputs(const OnnxGraph& graph, GraphImport& import) {
  for (const OnnxValueInfo& input : graph.inputs) {
    ASSIGN_OR_RETURN(const Shape shape, StaticInputShape(input));
    OnnxValue value = {.type = input.type, .shape = shape};
    value.tensor = import.builder().Input(import.UniqueName(input.name), shape,
                                          value.type);
    RETURN_IF_ERROR(import.builder().status());
    import.inputs().insert(value.tensor);
    import.values()[input.name] = std::move(value);
  }
  for (const auto& [name, tensor] : graph.initializers)
    import.values()[name] = ValueOf(tensor);
  return absl::OkStatus();
}

absl::Status ImportNode(const OnnxNode& node, int64_t opset,
                        GraphImport& import) {
  const auto converter = AllConverters().find(node.op_type);
  if (converter == AllConverters().end()) {
    return node.Error(
        "is of an operator that is not supported; docs/onnx.md lists those "
        "that are");
  }
  NodeImport context(node, opset, import);
  RETURN_IF_ERROR(converter->second(context));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.HasOutput(i) && !import.values().contains(node.outputs[i])) {
      return node.Error(absl::StrCat("has an output ", i, ", \"",
                                     node.outputs[i],
                                     "\", that is not supported"));
    }
  }
  return absl::OkStatus();
}

// Whether each node is needed for the outputs; what is not may be anything.
std::vector<bool> NeededNodes(const OnnxGraph& graph) {
  std::set<absl::string_view> needed;
  for (const OnnxValueInfo& output : graph.outputs) needed.insert(output.name);
  std::vector<bool> is_needed(graph.nodes.size());
  // A node reads what is before it.
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const OnnxNode& node = graph.nodes[i];
    is_needed[i] = absl::c_any_of(node.outputs, [&](const std::string& name) {
      return needed.contains(name);
    });
    if (is_needed[i]) needed.insert(node.inputs.begin(), node.inputs.end());
  }
  return is_needed;
}

// Outputs of the graph are distinct tensors that some node computes.
absl::Status ImportOutputs(const OnnxGraph& graph, GraphImport& import,
                           std::map<TensorId, std::string>& names) {
  std::set<TensorId> given;
  for (const OnnxValueInfo& output : graph.outputs) {
    const auto found = import.values().find(output.name);
    if (found == import.values().end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("output \"", output.name, "\" is computed by no node"));
    }
    const absl::StatusOr<TensorId> tensor = import.Materialize(
        found->second, absl::StrCat(output.name, "/constant"));
    if (!tensor.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "output \"", output.name, "\": ", tensor.status().message()));
    }
    TensorId result = *tensor;
    if (found->second.is_known() || given.contains(result) ||
        import.inputs().contains(result)) {
      result =
          import.builder().Identity(import.UniqueName(output.name), result);
    }
    import.builder().Output(result);
    RETURN_IF_ERROR(import.builder().status());
    given.insert(result);
    names[result] = output.name;
  }
  return absl::OkStatus();
}

// Outputs are called as in the model; a tensor inside that has the name, as a
// step of the same node, takes the output's.
void GiveNames(const std::map<TensorId, std::string>& names,
               OperatorGraph& graph) {
  std::map<std::string, TensorId> owners;
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    owners[graph.tensors[i].name] = static_cast<TensorId>(i);
  for (const auto& [tensor, name] : names) {
    std::string& own = graph.tensors[tensor].name;
    const auto owner = owners.find(name);
    if (owner == owners.end()) {
      owners.erase(own);
      owners[name] = tensor;
      own = name;
    } else if (owner->second != tensor &&
               absl::c_find(graph.inputs, owner->second) ==
                   graph.inputs.end()) {
      const TensorId other = owner->second;
      owners[own] = other;
      owners[name] = tensor;
      std::swap(own, graph.tensors[other].name);
    }
  }
}

}  // namespace

absl::StatusOr<OperatorGraph> ImportOnnxGraph(const OnnxGraph& graph) {
  GraphImport import(graph.name.empty() ? "onnx" : graph.name);
  RETURN_IF_ERROR(ImportInputs(graph, import));
  const std::vector<bool> is_needed = NeededNodes(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!is_needed[i]) continue;
    RETURN_IF_ERROR(ImportNode(graph.nodes[i], graph.opset, import));
  }
  std::map<TensorId, std::string> names;
  RETURN_IF_ERROR(ImportOutputs(graph, import, names));
  ASSIGN_OR_RETURN(OperatorGraph imported, std::move(import.builder()).Build());
  GiveNames(names, imported);
  return imported;
}

absl::StatusOr<OperatorGraph> LoadOnnxModel(
    const std::string& path, const std::vector<OnnxInputShape>& input_shapes) {
  ASSIGN_OR_RETURN(const onnx::ModelProto model, ReadOnnxModel(path));
  const auto load = [&]() -> absl::StatusOr<OperatorGraph> {
    ASSIGN_OR_RETURN(OnnxGraph graph, ReadOnnxGraph(model, DirectoryOf(path)));
    for (const OnnxInputShape& input : input_shapes)
      RETURN_IF_ERROR(SetInputShape(graph, input.name, input.shape));
    return ImportOnnxGraph(graph);
  };
  absl::StatusOr<OperatorGraph> graph = load();
  if (graph.ok()) return graph;
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": ", graph.status().message()));
}

std::vector<std::string> KnownOnnxOperators() {
  std::vector<std::string> names;
  for (const auto& [name, converter] : AllConverters())
    names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace pruner
