// Pieces that networks have in common, with random weights.
#ifndef MODELS_ZOO_LAYERS_H_
#define MODELS_ZOO_LAYERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  // Padded by kernel / 2 * dilation on all sides, or not at all.
  struct Convolution {
    int64_t channels;  // of the output
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t groups = 1;
    int64_t dilation = 1;
    std::optional<int64_t> kernel_width{};  // if it is no square
    bool is_padded = true;
    double gain = 1;  // of the weights
  };

  // Of volumes; depth, height and width. Padded by kernel / 2 on all sides.
  struct Convolution3d {
    int64_t channels;
    std::array<int64_t, 3> kernel = {1, 1, 1};
    std::array<int64_t, 3> stride = {1, 1, 1};
  };

  // A square kernel.
  struct TransposedConvolution {
    int64_t channels;
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t padding = 0;
  };

  LayerBuilder(GraphBuilder& graph, uint64_t seed)
      : graph_(graph), seed_(seed) {}

  TensorId Conv(absl::string_view name, TensorId input,
                const Convolution& conv);
  TensorId Conv3d(absl::string_view name, TensorId input,
                  const Convolution3d& conv);
  TensorId ConvTranspose(absl::string_view name, TensorId input,
                         const TransposedConvolution& conv);
  // A batch norm. `gain` scales its output: residual branches use less than 1,
  // or the sums would grow from block to block.
  TensorId Norm(absl::string_view name, TensorId input, double gain = 1);
  TensorId NormRelu(absl::string_view name, TensorId input);
  // Conv, then an explicit batch norm.
  TensorId ConvNorm(absl::string_view name, TensorId input,
                    const Convolution& conv, double gain = 1);
  TensorId ConvNormRelu(absl::string_view name, TensorId input,
                        const Convolution& conv);
  TensorId ConvNormRelu6(absl::string_view name, TensorId input,
                         const Convolution& conv);
  TensorId Conv3dNorm(absl::string_view name, TensorId input,
                      const Convolution3d& conv, double gain = 1);
  TensorId Conv3dNormRelu(absl::string_view name, TensorId input,
                          const Convolution3d& conv);
  // Conv and bias, the latter's sum named `name`.
  TensorId ConvBias(absl::string_view name, TensorId input,
                    const Convolution& conv);
  TensorId ConvBiasRelu(absl::string_view name, TensorId input,
                        const Convolution& conv);
  // Without an activation behind it: variance 1 / fan-in.
  TensorId Dense(absl::string_view name, TensorId input, int64_t channels);
  // Dense and bias, the latter's sum named `name`.
  TensorId DenseBias(absl::string_view name, TensorId input, int64_t channels);
  // The channels of all inputs behind one another.
  TensorId ConcatChannels(absl::string_view name,
                          const std::vector<TensorId>& inputs);
  // Over the innermost dimension.
  TensorId LayerNorm(absl::string_view name, TensorId input,
                     double epsilon = 1e-5);
  // Parameters that are used as activations are: read by index, or added to
  // activations.
  TensorId Embedding(absl::string_view name, const Shape& shape);

 private:
  TensorId Uniform(const std::string& name, const Shape& shape, double low,
                   double high);
  // For sums of `fan_in` products.
  TensorId Weights(absl::string_view layer, const Shape& shape, int64_t fan_in,
                   double gain = 1);
  TensorId DenseWeights(absl::string_view layer, TensorId input,
                        int64_t channels);

  GraphBuilder& graph_;
  uint64_t seed_;
};

}  // namespace pruner

#endif  // MODELS_ZOO_LAYERS_H_
