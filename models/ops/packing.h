// How constants are laid out for the kernels that read them.
#ifndef MODELS_OPS_PACKING_H_
#define MODELS_OPS_PACKING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/graph/shape.h"

namespace pruner {

// A tensor of shape {a, b, ..., co} is stored as {co / lanes, a, b, ...,
// lanes}: what one vector of output channels needs lies together, in the order
// in which the reduction reads it. Weights of a convolution {kh, kw, ci, co}
// become {co / lanes, kh, kw, ci, lanes}, those of a matrix product {in, out}
// become {out / lanes, in, lanes}.
struct Packing {
  int64_t lanes = 0;  // divides co; 0: stored as it is

  bool IsPlain() const { return lanes == 0; }

  friend bool operator==(const Packing&, const Packing&) = default;
};

// "plain" or, for example, "channels/16".
std::string PackingText(const Packing& packing);
absl::StatusOr<Packing> ParsePacking(std::string_view text);

// The packing for the weights of `channels` output channels on vectors of
// `simd_lanes`: the largest power of two up to simd_lanes that divides
// `channels`. Plain where that is no vector to speak of (less than 4): plain
// weights can at least be read in unaligned vectors.
Packing ChoosePacking(int64_t channels, int64_t simd_lanes);

// Lanes divide the innermost extent.
Shape PackedShape(const Shape& shape, const Packing& packing);

// The elements in their new order, and back. `data` has NumElements(shape)
// elements, row-major in `shape`, or in PackedShape(shape, packing).
std::vector<float> PackConstant(absl::Span<const float> data,
                                const Shape& shape, const Packing& packing);
std::vector<float> UnpackConstant(absl::Span<const float> data,
                                  const Shape& shape, const Packing& packing);

}  // namespace pruner

#endif  // MODELS_OPS_PACKING_H_
