// Products of matrices that are both activations.
#ifndef MODELS_OPERATORS_MAT_MUL_H_
#define MODELS_OPERATORS_MAT_MUL_H_

#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// out[..., m, n] = sum over k of left[..., m, k] * right[..., k, n]; batch
// dimensions, all but the last two, broadcast as NumPy's do. Where an operand
// is transposed, its last two dimensions are swapped: left {..., K, M}, right
// {..., N, K}.
struct MatMul {
  static constexpr OperatorKind kKind{"MatMul",
                                      "mat_mul",
                                      {"left_matrix", "right_matrix"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  bool transpose_left = false;
  bool transpose_right = false;
  bool operator==(const MatMul&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("transpose_left", self.transpose_left);
    visitor("transpose_right", self.transpose_right);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_MAT_MUL_H_
