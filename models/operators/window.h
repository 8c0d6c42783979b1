// Windows that slide over padded images.
#ifndef MODELS_OPERATORS_WINDOW_H_
#define MODELS_OPERATORS_WINDOW_H_

#include <cstdint>
#include <vector>

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
  // The position in the input that is nearest to it.
  Halide::Expr Nearest(const Halide::Expr& i, const Halide::Expr& k) const;
};

struct Window2d {
  WindowAxis y;
  WindowAxis x;
};

// Shapes are {N, H, W, C}.
Window2d MakeWindow(const Shape& input, const Shape& output,
                    const Extent2d& kernel, const Extent2d& stride,
                    const Extent2d& dilation, const Padding2d& padding);

// The spatial dimensions of {N, ..., C}, innermost first, as are those of what
// follows; attributes are outermost first.
std::vector<WindowAxis> MakeWindowAxes(
    const Shape& input, const Shape& output, const std::vector<int64_t>& kernel,
    const std::vector<int64_t>& stride, const std::vector<int64_t>& dilation,
    const std::vector<int64_t>& padding_before);

// All positions of a window: rx, ry, rz.
Halide::RDom WindowDomain(const Window2d& window);
Halide::RDom WindowDomain(const std::vector<WindowAxis>& axes);

// The input in the coordinates of the padded one: a Func "pad" with `outside`
// around, or the input itself where nothing is padded.
class PaddedInput {
 public:
  PaddedInput(const TensorParameter& input, const Window2d& window)
      : PaddedInput(input, std::vector<WindowAxis>{window.x, window.y}) {}
  // Of the dimensions between the innermost and the outermost one.
  PaddedInput(const TensorParameter& input, const std::vector<WindowAxis>& axes,
              const Halide::Expr& outside = 0.0f);

  Halide::Expr operator()(const std::vector<Halide::Expr>& indices) const;
  Halide::Expr operator()(const Halide::Expr& c, const Halide::Expr& x,
                          const Halide::Expr& y, const Halide::Expr& n) const {
    return (*this)(std::vector<Halide::Expr>{c, x, y, n});
  }

 private:
  TensorParameter input_;
  Halide::Func pad_;  // undefined where nothing is padded
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_WINDOW_H_
