#include "models/zoo/resnet.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"
#include "models/zoo/resnet_features.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 224;

constexpr ResnetArchitecture kWideResnet50x2Architecture = {
    .blocks = {3, 4, 6, 3}, .widening = 2};

absl::StatusOr<OperatorGraph> Resnet(absl::string_view name,
                                     const ResnetArchitecture& architecture,
                                     const ModelOptions& options,
                                     int64_t image_size) {
  GraphBuilder graph(name);
  LayerBuilder layers(graph, options.seed);
  const TensorId image =
      graph.Input("image", {options.batch, image_size, image_size, 3});
  const TensorId features = ResnetFeatures(graph, layers, architecture, image);
  graph.Output(layers.DenseBias(
      "logits",
      graph.Flatten("features", graph.GlobalAvgPool("pool", features)), 1000));
  return std::move(graph).Build();
}

}  // namespace

absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options,
                                       int64_t image_size) {
  return Resnet("resnet18", kResnet18Architecture, options, image_size);
}

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options,
                                       int64_t image_size) {
  return Resnet("resnet50", kResnet50Architecture, options, image_size);
}

absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options,
                                             int64_t image_size) {
  return Resnet("wide_resnet50_2", kWideResnet50x2Architecture, options,
                image_size);
}

absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options) {
  return Resnet18(options, kImageSize);
}

absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options) {
  return Resnet50(options, kImageSize);
}

absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options) {
  return WideResnet50x2(options, kImageSize);
}

}  // namespace pruner
