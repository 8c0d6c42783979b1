#include "models/ops/winograd_matrices.h"

#include "absl/log/check.h"

namespace pruner {

const WinogradMatrices& WinogradMatricesOf(int64_t tile) {
  // Interpolation at 0, 1, -1 and infinity.
  static const WinogradMatrices* const kTwo = new WinogradMatrices{
      .input = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
      .weights = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
      .output = {{1, 1, 1, 0}, {0, 1, -1, -1}}};
  // At 0, 1, -1, 2, -2 and infinity.
  static const WinogradMatrices* const kFour =
      new WinogradMatrices{.input = {{4, 0, -5, 0, 1, 0},
                                     {0, -4, -4, 1, 1, 0},
                                     {0, 4, -4, -1, 1, 0},
                                     {0, -2, -1, 2, 1, 0},
                                     {0, 2, -1, -2, 1, 0},
                                     {0, 4, 0, -5, 0, 1}},
                           .weights = {{1. / 4, 0, 0},
                                       {-1. / 6, -1. / 6, -1. / 6},
                                       {-1. / 6, 1. / 6, -1. / 6},
                                       {1. / 24, 1. / 12, 1. / 6},
                                       {1. / 24, -1. / 12, 1. / 6},
                                       {0, 0, 1}},
                           .output = {{1, 1, 1, 1, 1, 0},
                                      {0, 1, -1, 2, -2, 0},
                                      {0, 1, 1, 4, 4, 0},
                                      {0, 1, -1, 8, -8, 1}}};
  CHECK(tile == 2 || tile == 4);
  return tile == 2 ? *kTwo : *kFour;
}

}  // namespace pruner
