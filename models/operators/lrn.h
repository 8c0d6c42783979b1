// Local response normalization.
#ifndef MODELS_OPERATORS_LRN_H_
#define MODELS_OPERATORS_LRN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// input / (bias + alpha / size * sum of squares)^beta, where the sum is over
// those `size` channels, the last dimension, of which c - (size - 1) / 2,
// rounded down, is the first and which there are. Krizhevsky et al., ImageNet
// Classification with Deep Convolutional Neural Networks (2012), section 3.3;
// alpha is divided by size as ONNX has it.
struct Lrn {
  static constexpr OperatorKind kKind{
      "Lrn", "lrn", {"input"}, OperatorClass::kAnchor};
  int64_t size = 5;
  double alpha = 1e-4;  // not negative
  double beta = 0.75;
  double bias = 1;  // positive
  bool operator==(const Lrn&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("size", self.size);
    visitor("alpha", self.alpha);
    visitor("beta", self.beta);
    visitor("bias", self.bias);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_LRN_H_
