// Normalized exponentials.
#ifndef MODELS_OPERATORS_SOFTMAX_H_
#define MODELS_OPERATORS_SOFTMAX_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// exp(input) / sum of exp(input) along dimension `axis`, 0 <= axis < rank.
struct Softmax {
  static constexpr OperatorKind kKind{
      "Softmax", "softmax", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  bool operator==(const Softmax&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  int64_t SumLength(Shapes inputs) const { return inputs[0][axis]; }
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SOFTMAX_H_
