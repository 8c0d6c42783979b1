#include "models/zoo/inception_v3.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/zoo/layers.h"

namespace pruner {
namespace {

constexpr int64_t kImageSize = 299;

using Convolution = LayerBuilder::Convolution;

Convolution Square(int64_t kernel, int64_t channels) {
  return {.channels = channels, .kernel = kernel};
}

// 1 x width.
Convolution Row(int64_t width, int64_t channels) {
  return {.channels = channels, .kernel = 1, .kernel_width = width};
}

// height x 1.
Convolution Column(int64_t height, int64_t channels) {
  return {.channels = channels, .kernel = height, .kernel_width = 1};
}

Convolution Unpadded3x3(int64_t channels, int64_t stride) {
  return {
      .channels = channels, .kernel = 3, .stride = stride, .is_padded = false};
}

// A module has branches from one input, whose channels it concatenates.
class ModuleBuilder {
 public:
  ModuleBuilder(GraphBuilder& graph, LayerBuilder& layers)
      : graph_(graph), layers_(layers) {}

  // Convolutions behind each other, each with norm and activation.
  TensorId Chain(absl::string_view name, TensorId input,
                 const std::vector<Convolution>& convolutions) {
    TensorId x = input;
    int number = 0;
    for (const Convolution& convolution : convolutions) {
      x = layers_.ConvNormRelu(absl::StrCat(name, ".conv", ++number), x,
                               convolution);
    }
    return x;
  }

  TensorId HalvingPool(absl::string_view name, TensorId input) {
    return graph_.MaxPool2d(name, input, {.kernel = {3, 3}, .stride = {2, 2}});
  }

  // Of the resolution of its input (after figure 5 of the paper).
  TensorId Module5x5(const std::string& name, TensorId input,
                     int64_t pool_channels) {
    return Concat(name,
                  {Chain(name + ".1x1", input, {Square(1, 64)}),
                   Chain(name + ".5x5", input, {Square(1, 48), Square(5, 64)}),
                   Chain(name + ".3x3", input,
                         {Square(1, 64), Square(3, 96), Square(3, 96)}),
                   PoolBranch(name, input, pool_channels)});
  }

  // To half of it (figure 10).
  TensorId FirstReduction(const std::string& name, TensorId input) {
    return Concat(name,
                  {Chain(name + ".3x3", input, {Unpadded3x3(384, 2)}),
                   Chain(name + ".double3x3", input,
                         {Square(1, 64), Square(3, 96), Unpadded3x3(96, 2)}),
                   HalvingPool(name + ".pool", input)});
  }

  // 7x7 convolutions as products of 1x7 and 7x1 (figure 6).
  TensorId Module7x7(const std::string& name, TensorId input, int64_t inside) {
    return Concat(name,
                  {Chain(name + ".1x1", input, {Square(1, 192)}),
                   Chain(name + ".7x7", input,
                         {Square(1, inside), Row(7, inside), Column(7, 192)}),
                   Chain(name + ".double7x7", input,
                         {Square(1, inside), Column(7, inside), Row(7, inside),
                          Column(7, inside), Row(7, 192)}),
                   PoolBranch(name, input, 192)});
  }

  TensorId SecondReduction(const std::string& name, TensorId input) {
    return Concat(name, {Chain(name + ".3x3", input,
                               {Square(1, 192), Unpadded3x3(320, 2)}),
                         Chain(name + ".7x7", input,
                               {Square(1, 192), Row(7, 192), Column(7, 192),
                                Unpadded3x3(192, 2)}),
                         HalvingPool(name + ".pool", input)});
  }

  // Wide at the coarsest resolution: branches end in 1x3 and 3x1 beside each
  // other (figure 7).
  TensorId WideModule(const std::string& name, TensorId input) {
    return Concat(
        name,
        {Chain(name + ".1x1", input, {Square(1, 320)}),
         Fork(name + ".3x3", Chain(name + ".3x3", input, {Square(1, 384)})),
         Fork(name + ".double3x3", Chain(name + ".double3x3", input,
                                         {Square(1, 448), Square(3, 384)})),
         PoolBranch(name, input, 192)});
  }

 private:
  TensorId Concat(const std::string& name,
                  const std::vector<TensorId>& branches) {
    return layers_.ConcatChannels(name + ".concat", branches);
  }

  TensorId PoolBranch(const std::string& name, TensorId input,
                      int64_t channels) {
    const TensorId pooled = graph_.AvgPool2d(name + ".pool", input,
                                             {.kernel = {3, 3},
                                              .stride = {1, 1},
                                              .padding = {1, 1, 1, 1},
                                              .count_include_pad = true});
    return Chain(name + ".pool", pooled, {Square(1, channels)});
  }

  TensorId Fork(const std::string& name, TensorId input) {
    return Concat(name, {Chain(name + ".row", input, {Row(3, 384)}),
                         Chain(name + ".column", input, {Column(3, 384)})});
  }

  GraphBuilder& graph_;
  LayerBuilder& layers_;
};

}  // namespace

absl::StatusOr<OperatorGraph> InceptionV3(const ModelOptions& options) {
  return InceptionV3(options, kImageSize);
}

absl::StatusOr<OperatorGraph> InceptionV3(const ModelOptions& options,
                                          int64_t image_size) {
  GraphBuilder graph("inception_v3");
  LayerBuilder layers(graph, options.seed);
  ModuleBuilder modules(graph, layers);
  TensorId x = graph.Input("image", {options.batch, image_size, image_size, 3});
  x = modules.Chain("stem1", x,
                    {Unpadded3x3(32, 2), Unpadded3x3(32, 1), Square(3, 64)});
  x = modules.HalvingPool("stem1.pool", x);
  x = modules.Chain("stem2", x, {Square(1, 80), Unpadded3x3(192, 1)});
  x = modules.HalvingPool("stem2.pool", x);
  int number = 0;
  const auto next_name = [&] { return absl::StrCat("module", ++number); };
  for (const int64_t pool_channels : {32, 64, 64}) {
    x = modules.Module5x5(next_name(), x, pool_channels);
  }
  x = modules.FirstReduction(next_name(), x);
  for (const int64_t inside : {128, 160, 160, 192}) {
    x = modules.Module7x7(next_name(), x, inside);
  }
  x = modules.SecondReduction(next_name(), x);
  x = modules.WideModule(next_name(), x);
  x = modules.WideModule(next_name(), x);
  x = graph.Flatten("features", graph.GlobalAvgPool("pool", x));
  graph.Output(layers.DenseBias("logits", x, 1000));
  return std::move(graph).Build();
}

}  // namespace pruner
