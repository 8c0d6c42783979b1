// Limits.
#ifndef MODELS_OPERATORS_CLIP_H_
#define MODELS_OPERATORS_CLIP_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// min(max(input, low), high).
struct Clip {
  static constexpr OperatorKind kKind{
      "Clip", "clip", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 2;
  double low = -1;
  double high = 1;
  bool operator==(const Clip&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("low", self.low);
    visitor("high", self.high);
  }
  absl::Status CheckAttributes() const;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CLIP_H_
