#include "models/ops/packing.h"

#include <cstddef>

#include "absl/log/check.h"
#include "models/ops/winograd_matrices.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

// Calls move(index in `shape`, index in the packed shape) for every element.
template <typename Move>
void ForEachElement(const Shape& shape, const Packing& packing,
                    const Move& move) {
  const size_t elements = NumElements(shape);
  if (packing.lanes == 0) {
    for (size_t i = 0; i < elements; ++i) move(i, i);
    return;
  }
  CHECK_EQ(shape.back() % packing.lanes, 0);
  const size_t channels = shape.back(), lanes = packing.lanes;
  const size_t rows = elements / channels;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < channels; ++c) {
      move(row * channels + c, (c / lanes * rows + row) * lanes + c % lanes);
    }
  }
}

// G g G^T for each pair of channels: {3, 3, ci, co} to {(m+2)^2, ci, co}.
std::vector<float> TransformWeights(absl::Span<const float> weights,
                                    const Shape& shape, int64_t tile) {
  constexpr size_t kKernel = 3;
  CHECK_EQ(shape[0], int64_t{kKernel});
  CHECK_EQ(shape[1], int64_t{kKernel});
  const SmallMatrix& g = WinogradMatricesOf(tile).weights;
  const size_t size = g.size();
  const size_t channels = shape[2] * shape[3];
  std::vector<float> transformed(size * size * channels);
  for (size_t c = 0; c < channels; ++c) {
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j < size; ++j) {
        double sum = 0;
        for (size_t y = 0; y < kKernel; ++y) {
          for (size_t x = 0; x < kKernel; ++x) {
            sum +=
                g[i][y] * weights[(y * kKernel + x) * channels + c] * g[j][x];
          }
        }
        transformed[(i * size + j) * channels + c] = static_cast<float>(sum);
      }
    }
  }
  return transformed;
}

// The positions of transformed weights are packed one by one, as the weights of
// a matrix product each.
Shape MatrixShape(const Shape& shape) { return {shape[2], shape[3]}; }

std::vector<float> PackTransformed(absl::Span<const float> data,
                                   const Shape& shape, const Packing& packing) {
  const std::vector<float> transformed =
      TransformWeights(data, shape, packing.winograd_tile);
  const Shape matrix = MatrixShape(shape);
  const size_t elements = NumElements(matrix);
  std::vector<float> packed;
  packed.reserve(transformed.size());
  for (size_t begin = 0; begin < transformed.size(); begin += elements) {
    const std::vector<float> position =
        PackConstant(absl::MakeSpan(transformed).subspan(begin, elements),
                     matrix, {.lanes = packing.lanes});
    packed.insert(packed.end(), position.begin(), position.end());
  }
  return packed;
}

std::vector<float> PackBlocked(absl::Span<const float> data, const Shape& shape,
                               const Packing& packing) {
  const Shape packed_shape = PackedShape(shape, packing);
  const int64_t window = shape[0] * shape[1];
  const int64_t lanes = packing.lanes, in_lanes = packing.in_lanes;
  std::vector<float> packed(NumElements(packed_shape));
  size_t from = 0;
  for (int64_t position = 0; position < window; ++position) {
    for (int64_t ci = 0; ci < shape[2]; ++ci) {
      for (int64_t co = 0; co < shape[3]; ++co) {
        const int64_t block =
            co / lanes * packed_shape[1] + ci / in_lanes;  // of both kinds
        const int64_t row =
            (block * window + position) * in_lanes + ci % in_lanes;
        packed[row * lanes + co % lanes] = data[from++];
      }
    }
  }
  return packed;
}

}  // namespace

Packing ChoosePacking(int64_t channels, int64_t simd_lanes) {
  constexpr int64_t kFewestLanes = 4;
  int64_t lanes = 1;
  while (lanes * 2 <= simd_lanes && channels % (lanes * 2) == 0) lanes *= 2;
  return {.lanes = lanes < kFewestLanes ? 0 : lanes};
}

Shape PackedShape(const Shape& shape, const Packing& packing) {
  if (packing.winograd_tile > 0) {
    Shape packed = PackedShape(MatrixShape(shape), {.lanes = packing.lanes});
    const int64_t side = packing.winograd_tile + 2;
    packed.insert(packed.begin(), side * side);
    return packed;
  }
  if (packing.in_lanes > 0) {
    return {CeilDiv(shape[3], packing.lanes),
            CeilDiv(shape[2], packing.in_lanes),
            shape[0],
            shape[1],
            packing.in_lanes,
            packing.lanes};
  }
  if (packing.IsPlain()) return shape;
  CHECK_EQ(shape.back() % packing.lanes, 0);
  Shape packed = {shape.back() / packing.lanes};
  packed.insert(packed.end(), shape.begin(), shape.end() - 1);
  packed.push_back(packing.lanes);
  return packed;
}

std::vector<float> PackConstant(absl::Span<const float> data,
                                const Shape& shape, const Packing& packing) {
  if (packing.winograd_tile > 0) return PackTransformed(data, shape, packing);
  if (packing.in_lanes > 0) return PackBlocked(data, shape, packing);
  std::vector<float> packed(data.size());
  ForEachElement(shape, packing,
                 [&](size_t from, size_t to) { packed[to] = data[from]; });
  return packed;
}

std::vector<double> PackValues(absl::Span<const double> values,
                               const Shape& shape, const Packing& packing) {
  if (packing == Packing{}) return {values.begin(), values.end()};
  const std::vector<float> rounded(values.begin(), values.end());
  const std::vector<float> packed = PackConstant(rounded, shape, packing);
  return {packed.begin(), packed.end()};
}

std::vector<float> UnpackConstant(absl::Span<const float> data,
                                  const Shape& shape, const Packing& packing) {
  CHECK_EQ(packing.winograd_tile, 0);
  CHECK_EQ(packing.in_lanes, 0);
  std::vector<float> plain(data.size());
  ForEachElement(shape, packing,
                 [&](size_t to, size_t from) { plain[to] = data[from]; });
  return plain;
}

}  // namespace pruner
