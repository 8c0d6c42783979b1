#include "models/zoo/csrnet.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/layers.h"
#include "models/zoo/options.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 224;

// 3x3 convolutions with the same channels, and a pooling behind them.
struct Stage {
  int convolutions;
  int64_t channels;
};

constexpr Stage kFrontEnd[] = {{2, 64}, {2, 128}, {3, 256}, {3, 512}};
constexpr int64_t kBackEnd[] = {512, 512, 512, 256, 128, 64};
constexpr int64_t kDilation = 2;  // of the back end

}  // namespace

absl::StatusOr<OperatorGraph> Csrnet(const ModelOptions& options) {
  return Csrnet(options, kImageSize);
}

absl::StatusOr<OperatorGraph> Csrnet(const ModelOptions& options,
                                     int64_t image_size) {
  GraphBuilder graph("csrnet");
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  int stage_number = 0;
  for (const Stage& stage : kFrontEnd) {
    const std::string name = absl::StrCat("stage", ++stage_number);
    for (int i = 1; i <= stage.convolutions; ++i) {
      x = layers.ConvBiasRelu(absl::StrCat(name, ".conv", i), x,
                              {.channels = stage.channels, .kernel = 3});
    }
    x = graph.MaxPool2d(absl::StrCat(name, ".pool"), x,
                        {.kernel = {2, 2}, .stride = {2, 2}});
  }
  int number = 0;
  for (const int64_t channels : kBackEnd) {
    x = layers.ConvBiasRelu(
        absl::StrCat("back.conv", ++number), x,
        {.channels = channels, .kernel = 3, .dilation = kDilation});
  }
  graph.Output(layers.ConvBias("density", x, {.channels = 1}));
  return std::move(graph).Build();
}

}  // namespace pruner
