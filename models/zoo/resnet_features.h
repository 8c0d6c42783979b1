// Residual networks up to their last block, as other networks begin.
#ifndef MODELS_ZOO_RESNET_FEATURES_H_
#define MODELS_ZOO_RESNET_FEATURES_H_

#include <array>
#include <cstdint>

#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {

struct ResnetArchitecture {
  std::array<int, 4> blocks;  // of each stage
  bool bottlenecks = true;
  int64_t widening = 1;  // of the convolutions inside of bottlenecks
  // Stages that keep the resolution: instead of a stride, which they would
  // begin with, all 3x3 convolutions behind it are dilated twice as far (Yu et
  // al. 2017). Of bottlenecks only.
  std::array<bool, 4> is_dilated{};
};

inline constexpr ResnetArchitecture kResnet18Architecture = {
    .blocks = {2, 2, 2, 2}, .bottlenecks = false};
inline constexpr ResnetArchitecture kResnet50Architecture = {
    .blocks = {3, 4, 6, 3}};

// Of an image {N, H, W, 3} the features {N, H / 32, W / 32, C}, rounded up, or
// of each dilated stage twice that; C is 512, or 2048 of bottlenecks.
TensorId ResnetFeatures(GraphBuilder& graph, LayerBuilder& layers,
                        const ResnetArchitecture& architecture, TensorId image);

}  // namespace pruner

#endif  // MODELS_ZOO_RESNET_FEATURES_H_
