// The matrices of Winograd's minimal filtering (Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", 2016, section 4.1): a tile of
// m x m outputs of a 3x3 convolution is A^T [(G g G^T) * (B^T d B)] A, d the
// (m+2) x (m+2) inputs, g the weights, * elementwise.
#ifndef MODELS_OPS_WINOGRAD_MATRICES_H_
#define MODELS_OPS_WINOGRAD_MATRICES_H_

#include <cstdint>
#include <vector>

namespace pruner {

using SmallMatrix = std::vector<std::vector<double>>;

struct WinogradMatrices {
  SmallMatrix input;    // B^T: (m+2) x (m+2)
  SmallMatrix weights;  // G: (m+2) x 3
  SmallMatrix output;   // A^T: m x (m+2)
};

// For outputs tiles of m = 2 or 4.
const WinogradMatrices& WinogradMatricesOf(int64_t tile);

}  // namespace pruner

#endif  // MODELS_OPS_WINOGRAD_MATRICES_H_
