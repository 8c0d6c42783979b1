#include "models/zoo/deeplab_v3.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"
#include "models/zoo/resnet_features.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 224;
constexpr int64_t kClasses = 21;
constexpr int64_t kChannels = 256;          // of the head
constexpr int64_t kRates[] = {12, 24, 36};  // for features at an eighth

// Bilinear, to the height and width of `target`.
TensorId ResizeTo(GraphBuilder& graph, absl::string_view name, TensorId input,
                  TensorId target) {
  const Shape& shape = graph.ShapeOf(input);
  if (shape.empty()) return kNoTensor;  // after an error
  Resize resize{.mode = "linear", .sizes = graph.ShapeOf(target)};
  resize.sizes.back() = shape.back();
  for (size_t i = 0; i < shape.size(); ++i) {
    resize.scales.push_back(static_cast<double>(resize.sizes[i]) /
                            static_cast<double>(shape[i]));
  }
  return graph.Apply(name, resize, {input});
}

// Atrous spatial pyramid pooling (section 3.3 of the paper): what is at a
// pixel, around it at several rates, and in the image as a whole.
TensorId PyramidPooling(GraphBuilder& graph, LayerBuilder& layers,
                        TensorId features) {
  std::vector<TensorId> branches = {
      layers.ConvNormRelu("pyramid.pixel", features, {.channels = kChannels})};
  for (const int64_t rate : kRates) {
    branches.push_back(layers.ConvNormRelu(
        absl::StrCat("pyramid.rate", rate), features,
        {.channels = kChannels, .kernel = 3, .dilation = rate}));
  }
  TensorId image = graph.GlobalAvgPool("pyramid.pool", features);
  image = layers.ConvNormRelu("pyramid.image", image, {.channels = kChannels});
  branches.push_back(ResizeTo(graph, "pyramid.resize", image, features));
  return layers.ConvNormRelu("pyramid",
                             layers.ConcatChannels("pyramid.concat", branches),
                             {.channels = kChannels});
}

}  // namespace

absl::StatusOr<OperatorGraph> DeeplabV3Resnet50(const ModelOptions& options) {
  return DeeplabV3Resnet50(options, kImageSize);
}

absl::StatusOr<OperatorGraph> DeeplabV3Resnet50(const ModelOptions& options,
                                                int64_t image_size) {
  GraphBuilder graph("deeplabv3_resnet50");
  LayerBuilder layers(graph, options.seed);
  const TensorId image =
      graph.Input("image", {options.batch, image_size, image_size, 3});
  ResnetArchitecture backbone = kResnet50Architecture;
  backbone.is_dilated = {false, false, true, true};
  TensorId x = ResnetFeatures(graph, layers, backbone, image);
  x = PyramidPooling(graph, layers, x);
  x = layers.ConvNormRelu("head", x, {.channels = kChannels, .kernel = 3});
  x = layers.ConvBias("classes", x, {.channels = kClasses});
  graph.Output(ResizeTo(graph, "scores", x, image));
  return std::move(graph).Build();
}

}  // namespace pruner
