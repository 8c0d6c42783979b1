#include "models/zoo/zoo.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/graph/graph_text.h"
#include "models/zoo/csrnet.h"
#include "models/zoo/mobilenet_v2.h"
#include "models/zoo/resnet.h"
#include "models/zoo/tiny.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

struct Model {
  absl::string_view name;
  absl::StatusOr<OperatorGraph> (*build)(const ModelOptions&);
};

constexpr Model kModels[] = {
    {"csrnet", &Csrnet},     {"mobilenet_v2", &MobilenetV2},
    {"resnet18", &Resnet18}, {"resnet50", &Resnet50},
    {"tiny", &Tiny},         {"wide_resnet50_2", &WideResnet50x2},
};

// The most that the parser of texts takes.
constexpr int64_t kMaxFileBytes = std::numeric_limits<int32_t>::max();

absl::StatusOr<OperatorGraph> LoadFile(const std::string& path,
                                       const ModelOptions& options) {
  if (options.batch != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "batch ", options.batch, " was asked for with the model file \"", path,
        "\", whose inputs have their own; change it there"));
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxFileBytes));
  ASSIGN_OR_RETURN(OperatorGraph graph, ParseGraph(text),
                   _.SetPrepend() << "model file \"" << path << "\": ");
  return graph;
}

}  // namespace

std::vector<std::string> KnownModels() {
  std::vector<std::string> names;
  for (const Model& model : kModels) names.emplace_back(model.name);
  return names;
}

absl::StatusOr<OperatorGraph> LoadModel(absl::string_view name_or_path,
                                        const ModelOptions& options) {
  for (const Model& model : kModels) {
    if (model.name == name_or_path) return model.build(options);
  }
  if (absl::EndsWith(name_or_path, ".txtpb")) {
    return LoadFile(std::string(name_or_path), options);
  }
  return absl::NotFoundError(
      absl::StrCat("no model is named \"", name_or_path, "\"; known are ",
                   absl::StrJoin(KnownModels(), ", "),
                   ", and a file of an operator graph is given by its path, "
                   "ending in .txtpb"));
}

}  // namespace pruner
