// Maxima of windows.
#ifndef MODELS_OPERATORS_MAX_POOL2D_H_
#define MODELS_OPERATORS_MAX_POOL2D_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Maximum over each window of {N, H, W, C}; padding takes no part in it.
// Padding is smaller than the kernel, so that every window holds an element.
struct MaxPool2d {
  static constexpr OperatorKind kKind{"MaxPool2d",
                                      "max_pool",
                                      {"input"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  Extent2d kernel{};
  Extent2d stride{};
  Padding2d padding{};
  bool operator==(const MaxPool2d&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kernel", self.kernel);
    visitor("stride", self.stride);
    visitor("padding", self.padding);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_MAX_POOL2D_H_
