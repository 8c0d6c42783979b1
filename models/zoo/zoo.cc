#include "models/zoo/zoo.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/graph/graph_text.h"
#include "models/onnx/importer.h"
#include "models/zoo/bert.h"
#include "models/zoo/csrnet.h"
#include "models/zoo/dcgan.h"
#include "models/zoo/deeplab_v3.h"
#include "models/zoo/densenet.h"
#include "models/zoo/detr.h"
#include "models/zoo/inception_v3.h"
#include "models/zoo/mobilenet_v2.h"
#include "models/zoo/resnet.h"
#include "models/zoo/resnet3d.h"
#include "models/zoo/tiny.h"
#include "models/zoo/vit.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

struct Model {
  absl::string_view name;
  absl::StatusOr<OperatorGraph> (*build)(const ModelOptions&);
};

constexpr Model kModels[] = {
    {"bert_base", &BertBase},
    {"bert_tiny", &BertTiny},
    {"bert_tiny_2l", &BertTiny2Layers},
    {"csrnet", &Csrnet},
    {"dcgan", &Dcgan},
    {"deeplabv3_resnet50", &DeeplabV3Resnet50},
    {"densenet121", &Densenet121},
    {"detr_resnet50", &DetrResnet50},
    {"inception_v3", &InceptionV3},
    {"mobilenet_v2", &MobilenetV2},
    {"resnet18", &Resnet18},
    {"resnet3d_18", &Resnet3d18},
    {"resnet50", &Resnet50},
    {"tiny", &Tiny},
    {"vit", &Vit},
    {"vit_b_16", &VitB16},
    {"wide_resnet50_2", &WideResnet50x2},
};

// The most that the parser of texts takes.
constexpr int64_t kMaxFileBytes = std::numeric_limits<int32_t>::max();

absl::StatusOr<OperatorGraph> LoadFile(
    const std::string& path, const ModelOptions& options,
    const std::vector<OnnxInputShape>& input_shapes) {
  if (options.batch != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "batch ", options.batch, " was asked for with the model file \"", path,
        "\", whose inputs have their own; change it there"));
  }
  if (absl::EndsWith(path, ".onnx")) return LoadOnnxModel(path, input_shapes);
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxFileBytes));
  ASSIGN_OR_RETURN(OperatorGraph graph, ParseGraph(text),
                   _.SetPrepend() << "model file \"" << path << "\": ");
  return graph;
}

}  // namespace

bool IsModelFile(absl::string_view name) {
  return absl::EndsWith(name, ".onnx") || absl::EndsWith(name, ".txtpb");
}

std::vector<std::string> KnownModels() {
  std::vector<std::string> names;
  for (const Model& model : kModels) names.emplace_back(model.name);
  return names;
}

absl::StatusOr<OperatorGraph> LoadModel(
    absl::string_view name_or_path, const ModelOptions& options,
    const std::vector<OnnxInputShape>& input_shapes) {
  const bool is_onnx = absl::EndsWith(name_or_path, ".onnx");
  if (!input_shapes.empty() && !is_onnx) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the shape of input \"", input_shapes[0].name,
        "\" was given, which only a model that ends in .onnx leaves open; \"",
        name_or_path, "\" does not"));
  }
  for (const Model& model : kModels) {
    if (model.name == name_or_path) return model.build(options);
  }
  if (IsModelFile(name_or_path))
    return LoadFile(std::string(name_or_path), options, input_shapes);
  return absl::NotFoundError(
      absl::StrCat("no model is named \"", name_or_path, "\"; known are ",
                   absl::StrJoin(KnownModels(), ", "),
                   ", and a file is given by its path: an ONNX model ends in "
                   ".onnx, an operator graph in .txtpb"));
}

}  // namespace pruner
