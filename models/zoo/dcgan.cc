#include "models/zoo/dcgan.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

constexpr int64_t kNoiseChannels = 100;
// From 4 x 4 pixels on, each at twice the resolution.
constexpr int64_t kStageChannels[] = {512, 256, 128, 64};

}  // namespace

absl::StatusOr<OperatorGraph> Dcgan(const ModelOptions& options) {
  GraphBuilder graph("dcgan");
  LayerBuilder layers(graph, options.seed);
  TensorId x = graph.Input("noise", {options.batch, 1, 1, kNoiseChannels});
  int stage = 0;
  for (const int64_t channels : kStageChannels) {
    const std::string name = absl::StrCat("stage", ++stage);
    x = layers.ConvTranspose(name, x,
                             {.channels = channels,
                              .kernel = 4,
                              .stride = stage == 1 ? 1 : 2,
                              .padding = stage == 1 ? 0 : 1});
    x = layers.NormRelu(absl::StrCat(name, ".norm"), x);
  }
  x = layers.ConvTranspose(
      "pixels", x, {.channels = 3, .kernel = 4, .stride = 2, .padding = 1});
  graph.Output(graph.Apply("image", Tanh{}, {x}));
  return std::move(graph).Build();
}

}  // namespace pruner
