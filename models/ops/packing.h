// How constants are laid out for the kernels that read them.
#ifndef MODELS_OPS_PACKING_H_
#define MODELS_OPS_PACKING_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "models/operators/shape.h"

namespace pruner {

// A tensor of shape {a, b, ..., co} is stored as {co / lanes, a, b, ...,
// lanes}: what one vector of output channels needs lies together, in the order
// in which the reduction reads it. Weights of a convolution {kh, kw, ci, co}
// become {co / lanes, kh, kw, ci, lanes}, those of a matrix product {in, out}
// become {out / lanes, in, lanes}.
//
// Weights {3, 3, ci, co} of a Winograd convolution are transformed besides: g
// becomes the (m+2) x (m+2) numbers of G g G^T (see winograd_matrices.h), and
// the tensor {(m+2)^2, co / lanes, ci, lanes}, or {(m+2)^2, ci, co} if lanes is
// 0; the position of row i and column j is i * (m+2) + j.
//
// Weights {kh, kw, ci, co} for channel-blocked activations are cut into blocks
// of input channels as well, and both kinds of blocks filled up with zeros: {co
// / lanes, ci / in_lanes, kh, kw, in_lanes, lanes}, quotients rounded up.
struct Packing {
  int64_t lanes = 0;          // divides co unless blocked; 0: stored as it is
  int64_t winograd_tile = 0;  // m, 2 or 4; 0: not transformed
  int64_t in_lanes = 0;       // of channel-blocked weights; 0: not blocked

  bool IsPlain() const { return lanes == 0 && winograd_tile == 0; }

  auto operator<=>(const Packing&) const = default;
};

// The packing for the weights of `channels` output channels on vectors of
// `simd_lanes`: the largest power of two up to simd_lanes that divides
// `channels`. Plain where that is no vector to speak of (less than 4): plain
// weights can at least be read in unaligned vectors.
Packing ChoosePacking(int64_t channels, int64_t simd_lanes);

// Lanes divide the innermost extent unless weights are blocked.
Shape PackedShape(const Shape& shape, const Packing& packing);

// The elements in their new order, and back; there is no way back from
// transformed and blocked ones. `data` has NumElements(shape) elements,
// row-major in `shape`, or in PackedShape(shape, packing). Transforms in double
// precision.
std::vector<float> PackConstant(absl::Span<const float> data,
                                const Shape& shape, const Packing& packing);
// The same of numbers of any type, which are rounded to float if they are
// packed at all.
std::vector<double> PackValues(absl::Span<const double> values,
                               const Shape& shape, const Packing& packing);
std::vector<float> UnpackConstant(absl::Span<const float> data,
                                  const Shape& shape, const Packing& packing);

}  // namespace pruner

#endif  // MODELS_OPS_PACKING_H_
