// Means of windows.
#ifndef MODELS_OPERATORS_AVG_POOL2D_H_
#define MODELS_OPERATORS_AVG_POOL2D_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Mean over each window; padding counts as zeros (count_include_pad) or not at
// all. Padding is smaller than the kernel.
struct AvgPool2d {
  static constexpr OperatorKind kKind{"AvgPool2d",
                                      "avg_pool",
                                      {"input"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  Extent2d kernel{};
  Extent2d stride{};
  Padding2d padding{};
  bool count_include_pad = false;
  bool operator==(const AvgPool2d&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kernel", self.kernel);
    visitor("stride", self.stride);
    visitor("padding", self.padding);
    visitor("count_include_pad", self.count_include_pad);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_AVG_POOL2D_H_
