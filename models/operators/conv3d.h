// Convolutions of volumes.
#ifndef MODELS_OPERATORS_CONV3D_H_
#define MODELS_OPERATORS_CONV3D_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// As Conv2d, with one dimension more: input {N, D, H, W, ci}, weights {kernel
// d, kernel h, kernel w, ci / groups, co}.
struct Conv3d {
  static constexpr OperatorKind kKind{"Conv3d",
                                      "conv3d",
                                      {"input", "weights"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  std::vector<int64_t> stride{};    // d, h, w; empty: all 1
  std::vector<int64_t> padding{};   // front, top, left, back, bottom, right;
                                    // empty: all 0
  std::vector<int64_t> dilation{};  // d, h, w; empty: all 1
  int64_t groups = 1;
  bool operator==(const Conv3d&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stride", self.stride);
    visitor("padding", self.padding);
    visitor("dilation", self.dilation);
    visitor("groups", self.groups);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CONV3D_H_
