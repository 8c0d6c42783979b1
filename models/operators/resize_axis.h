// One dimension of a Resize: where elements of the output are in the input, and
// what each takes of which elements. `Number` is double, or a Halide::Expr of a
// floating-point type.
#ifndef MODELS_OPERATORS_RESIZE_AXIS_H_
#define MODELS_OPERATORS_RESIZE_AXIS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "models/operators/resize.h"

namespace pruner {

// `value` as a number like another.
inline double ConstantLike(double, double value) { return value; }
inline Halide::Expr ConstantLike(const Halide::Expr& like, double value) {
  return Halide::Internal::make_const(like.type(), value);
}
inline double Select(bool condition, double yes, double no) {
  return condition ? yes : no;
}
inline Halide::Expr Select(const Halide::Expr& condition,
                           const Halide::Expr& yes, const Halide::Expr& no) {
  return Halide::select(condition, yes, no);
}
// What positions have of a number whose rest is the weight.
inline double Weight(double x) { return x; }
inline Halide::Expr Weight(const Halide::Expr& x) {
  return Halide::cast<float>(x);
}

// Position (i + shift) * factor / divisor + offset.
struct ResizeAxis {
  double extent = 1;  // of the input
  double shift = 0;
  double factor = 1;
  double divisor = 1;
  double offset = 0;

  template <typename Number>
  Number Position(const Number& i) const {
    using std::clamp;
    using std::floor;
    const auto number = [&](double value) { return ConstantLike(i, value); };
    const Number exact =
        (i + number(shift)) * number(factor) / number(divisor) + number(offset);
    constexpr double kSteps = 0x1p24;
    const Number position =
        floor(exact * number(kSteps) + number(0.5)) / number(kSteps);
    // What is farther away is as far as that for all modes.
    return clamp(position, number(-4), number(extent + 3));
  }

  // Whether all elements stay where they are.
  bool IsIdentity(int64_t out) const {
    return static_cast<double>(out) == extent && Position(0.0) == 0 &&
           Position(extent - 1) == extent - 1;
  }
};

ResizeAxis MakeResizeAxis(const Resize& op, const Shape& input, size_t d);

// Weights of elements of the input, whose indices are whole numbers inside.
template <typename Number>
struct ResizeTaps {
  std::vector<Number> indices;
  std::vector<Number> weights;
};

// Keys, Cubic convolution interpolation for digital image processing, 1981,
// equation 4: the part near 0, to a distance of 1, and that from 1 to 2.
template <typename Number>
Number CubicNear(const Number& x, double a) {
  const auto number = [&](double value) { return ConstantLike(x, value); };
  return (number(a + 2) * x - number(a + 3)) * x * x + number(1);
}
template <typename Number>
Number CubicFar(const Number& x, double a) {
  const auto number = [&](double value) { return ConstantLike(x, value); };
  return ((number(a) * x - number(5 * a)) * x + number(8 * a)) * x -
         number(4 * a);
}

template <typename Number>
Number NearestIndex(const Resize& op, const Number& position) {
  using std::ceil;
  using std::floor;
  const Number half = ConstantLike(position, 0.5);
  if (op.nearest_mode == "round_prefer_floor") return ceil(position - half);
  if (op.nearest_mode == "round_prefer_ceil") return floor(position + half);
  return op.nearest_mode == "floor" ? floor(position) : ceil(position);
}

// `position` is one of the axis.
template <typename Number>
ResizeTaps<Number> TapsAt(const Resize& op, const ResizeAxis& axis,
                          const Number& position) {
  using std::clamp;
  using std::floor;
  const auto number = [&](double value) {
    return ConstantLike(position, value);
  };
  ResizeTaps<Number> taps;
  Number first = floor(position);
  if (op.mode == "nearest") {
    first = NearestIndex(op, position);
    taps.weights = {Weight(number(1))};
  } else {
    const Number t = Weight(position - first);
    const Number one = ConstantLike(t, 1);
    if (op.mode == "linear") {
      taps.weights = {one - t, t};
    } else {
      const double a = op.cubic_coeff_a;
      taps.weights = {CubicFar<Number>(t + one, a), CubicNear(t, a),
                      CubicNear<Number>(one - t, a),
                      CubicFar<Number>(one + one - t, a)};
      first = first - number(1);
    }
  }
  Number sum = ConstantLike(taps.weights[0], 0);
  for (size_t k = 0; k < taps.weights.size(); ++k) {
    const Number index = first + number(static_cast<double>(k));
    const Number inside = clamp(index, number(0), number(axis.extent - 1));
    taps.indices.push_back(inside);
    if (!op.exclude_outside || op.mode == "nearest") continue;
    Number& weight = taps.weights[k];
    weight = Select(index == inside, weight, ConstantLike(weight, 0));
    sum = sum + weight;
  }
  if (op.exclude_outside && op.mode != "nearest") {
    const Number zero = ConstantLike(sum, 0), one = ConstantLike(sum, 1);
    for (Number& weight : taps.weights)
      weight = weight / Select(sum == zero, one, sum);
  }
  return taps;
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_RESIZE_AXIS_H_
