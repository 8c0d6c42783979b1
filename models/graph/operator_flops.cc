#include "models/graph/operator_flops.h"

namespace pruner {
namespace {

using Shapes = absl::Span<const Shape>;

double Elements(const Shape& shape) {
  return static_cast<double>(NumElements(shape));
}

double Flops(const Conv2d&, Shapes inputs, const Shape& output) {
  const Shape& weights = inputs[1];
  return 2.0 * Elements(output) * static_cast<double>(weights[0] * weights[1]) *
         static_cast<double>(weights[2]);
}

double Flops(const Dense&, Shapes inputs, const Shape& output) {
  return 2.0 * Elements(output) * static_cast<double>(inputs[1][0]);
}

// One multiplication and one addition: the rest is per channel.
double Flops(const BatchNorm&, Shapes, const Shape& output) {
  return 2.0 * Elements(output);
}

double Flops(const BiasAdd&, Shapes, const Shape& output) {
  return Elements(output);
}

double Flops(const Relu&, Shapes, const Shape& output) {
  return Elements(output);
}

double Flops(const Relu6&, Shapes, const Shape& output) {
  return 2.0 * Elements(output);
}

double Flops(const Add&, Shapes, const Shape& output) {
  return Elements(output);
}

double Flops(const MaxPool2d& op, Shapes, const Shape& output) {
  return Elements(output) * static_cast<double>(op.kernel.h) *
         static_cast<double>(op.kernel.w);
}

double Flops(const AvgPool2d& op, Shapes, const Shape& output) {
  return Elements(output) * static_cast<double>(op.kernel.h) *
         static_cast<double>(op.kernel.w);
}

double Flops(const GlobalAvgPool&, Shapes inputs, const Shape&) {
  return Elements(inputs[0]);
}

double Flops(const Reshape&, Shapes, const Shape&) { return 0; }

// Maximum, subtraction, exponential, sum and division.
double Flops(const Softmax&, Shapes, const Shape& output) {
  return 5.0 * Elements(output);
}

double Flops(const Identity&, Shapes, const Shape&) { return 0; }

}  // namespace

double CountFlops(const Operator& op, absl::Span<const Shape> inputs,
                  const Shape& output) {
  return std::visit(
      [&](const auto& kind) { return Flops(kind, inputs, output); }, op);
}

}  // namespace pruner
