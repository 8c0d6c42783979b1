// Windows that slide over padded images.
#ifndef MODELS_OPERATORS_WINDOW_H_
#define MODELS_OPERATORS_WINDOW_H_

#include <cstdint>

#include "Halide.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// One spatial dimension: output element i reads the positions i * stride +
// k * dilation - padding_before, 0 <= k < kernel.
struct WindowAxis {
  int64_t input = 1;  // extents
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padding_before = 0;

  // The padding behind the input that some window really reads; what an
  // operator declares may be more.
  int64_t padding_after() const;
  bool IsPadded() const { return padding_before > 0 || padding_after() > 0; }

  // The position in the padded input, counted from its first element.
  Halide::Expr Position(const Halide::Expr& i, const Halide::Expr& k) const;
};

struct Window2d {
  WindowAxis y;
  WindowAxis x;
};

// Shapes are {N, H, W, C}.
Window2d MakeWindow(const Shape& input, const Shape& output,
                    const Extent2d& kernel, const Extent2d& stride,
                    const Extent2d& dilation, const Padding2d& padding);

// All positions of a window, innermost first.
Halide::RDom WindowDomain(const Window2d& window);

// The input in the coordinates of the padded one: a Func "pad" with zeros
// around, or the input itself where nothing is padded.
class PaddedInput {
 public:
  PaddedInput(const TensorParameter& input, const Window2d& window);

  Halide::Expr operator()(const Halide::Expr& c, const Halide::Expr& x,
                          const Halide::Expr& y, const Halide::Expr& n) const;

 private:
  TensorParameter input_;
  Halide::Func pad_;  // undefined where nothing is padded
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_WINDOW_H_
