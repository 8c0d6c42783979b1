// Pieces that convolutional networks have in common, with random weights.
#ifndef MODELS_ZOO_LAYERS_H_
#define MODELS_ZOO_LAYERS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"

namespace pruner {

// Appends layers to a builder. A layer's constants are named after it; their
// values depend on the seed and their name only. Weights are drawn as He et al.
// (2015) do, uniformly with variance 2 / fan-in, and batch norms have
// statistics near those of such activations, so that values stay in a range
// where comparing results means something.
class LayerBuilder {
 public:
  // A square kernel, padded by kernel / 2 * dilation on all sides.
  struct Convolution {
    int64_t channels;  // of the output
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t groups = 1;
    int64_t dilation = 1;
  };

  LayerBuilder(GraphBuilder& graph, uint64_t seed)
      : graph_(graph), seed_(seed) {}

  TensorId Conv(absl::string_view name, TensorId input,
                const Convolution& conv);
  // Conv, then an explicit batch norm. `gain` scales the norm's output:
  // residual branches use less than 1, or the sums would grow from block to
  // block.
  TensorId ConvNorm(absl::string_view name, TensorId input,
                    const Convolution& conv, double gain = 1);
  TensorId ConvNormRelu(absl::string_view name, TensorId input,
                        const Convolution& conv);
  TensorId ConvNormRelu6(absl::string_view name, TensorId input,
                         const Convolution& conv);
  // Conv and bias, the latter's sum named `name`.
  TensorId ConvBias(absl::string_view name, TensorId input,
                    const Convolution& conv);
  TensorId ConvBiasRelu(absl::string_view name, TensorId input,
                        const Convolution& conv);
  // Dense and bias, the latter's sum named `name`; without an activation behind
  // it, variance 1 / fan-in.
  TensorId DenseBias(absl::string_view name, TensorId input, int64_t channels);

 private:
  TensorId Uniform(const std::string& name, const Shape& shape, double low,
                   double high);

  GraphBuilder& graph_;
  uint64_t seed_;
};

}  // namespace pruner

#endif  // MODELS_ZOO_LAYERS_H_
