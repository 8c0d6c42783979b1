// The tensor operators as plain data. One struct per kind holds its attributes
// and its row of the table of kinds (name, roles of the inputs, class).
// Everything else about a kind is one overload in each of: operators.cc (text),
// operator_shapes.cc, operator_flops.cc, operator_proto.cc,
// reference_operators.cc. A kind added to `Operator` does not compile until
// each of them has it.
//
// Every operator has one output.
#ifndef MODELS_GRAPH_OPERATORS_H_
#define MODELS_GRAPH_OPERATORS_H_

#include <array>
#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "models/graph/shape.h"

namespace pruner {

struct Extent2d {
  int64_t h = 1;
  int64_t w = 1;
  bool operator==(const Extent2d&) const = default;
};

struct Padding2d {
  int64_t top = 0;
  int64_t left = 0;
  int64_t bottom = 0;
  int64_t right = 0;
  bool operator==(const Padding2d&) const = default;
};

// How an operator may share a kernel with its neighbours.
enum class OperatorClass {
  kAnchor,       // reads several elements of an input for one of the output
  kElementwise,  // out[i] depends only on elements at i, and on parameters per
                 // channel
  kView,         // the same elements in the same order under another shape
};

struct OperatorKind {
  absl::string_view name;
  std::array<absl::string_view, 5>
      roles;  // of the inputs, in order; the rest is empty
  OperatorClass operator_class;

  constexpr int arity() const {
    int count = 0;
    for (const absl::string_view role : roles) count += role.empty() ? 0 : 1;
    return count;
  }
};

// out[n, y, x, o] = sum over ky, kx, c of
//   input[n, y * stride.h + ky * dilation.h - padding.top,
//            x * stride.w + kx * dilation.w - padding.left, g * ci / groups +
//            c]
//   * weights[ky, kx, c, o]
// where g = o / (co / groups) and elements outside the input are zero.
// input {N, H, W, ci}, weights {kernel h, kernel w, ci / groups, co}.
struct Conv2d {
  static constexpr OperatorKind kKind{
      "Conv2d", {"input", "weights"}, OperatorClass::kAnchor};
  Extent2d stride{};
  Padding2d padding{};
  Extent2d dilation{};
  int64_t groups = 1;
  bool operator==(const Conv2d&) const = default;
};

// Matrix product of input {..., in} and weights {in, out}: {..., out}.
struct Dense {
  static constexpr OperatorKind kKind{
      "Dense", {"input", "weights"}, OperatorClass::kAnchor};
  bool operator==(const Dense&) const = default;
};

// (input - mean) / sqrt(variance + epsilon) * scale + shift, per element of the
// innermost dimension; input {..., C}, the others {C}.
struct BatchNorm {
  static constexpr OperatorKind kKind{
      "BatchNorm",
      {"input", "scale", "shift", "mean", "variance"},
      OperatorClass::kElementwise};
  double epsilon = 1e-5;
  bool operator==(const BatchNorm&) const = default;
};

// input {..., C} + bias {C}.
struct BiasAdd {
  static constexpr OperatorKind kKind{
      "BiasAdd", {"input", "bias"}, OperatorClass::kElementwise};
  bool operator==(const BiasAdd&) const = default;
};

// max(input, 0).
struct Relu {
  static constexpr OperatorKind kKind{
      "Relu", {"input"}, OperatorClass::kElementwise};
  bool operator==(const Relu&) const = default;
};

// min(max(input, 0), 6).
struct Relu6 {
  static constexpr OperatorKind kKind{
      "Relu6", {"input"}, OperatorClass::kElementwise};
  bool operator==(const Relu6&) const = default;
};

// Sum of two tensors of one shape.
struct Add {
  static constexpr OperatorKind kKind{
      "Add", {"left", "right"}, OperatorClass::kElementwise};
  bool operator==(const Add&) const = default;
};

// Maximum over each window of {N, H, W, C}; padding takes no part in it.
// Padding is smaller than the kernel, so that every window holds an element.
struct MaxPool2d {
  static constexpr OperatorKind kKind{
      "MaxPool2d", {"input"}, OperatorClass::kAnchor};
  Extent2d kernel{};
  Extent2d stride{};
  Padding2d padding{};
  bool operator==(const MaxPool2d&) const = default;
};

// Mean over each window; padding counts as zeros (count_include_pad) or not at
// all. Padding is smaller than the kernel.
struct AvgPool2d {
  static constexpr OperatorKind kKind{
      "AvgPool2d", {"input"}, OperatorClass::kAnchor};
  Extent2d kernel{};
  Extent2d stride{};
  Padding2d padding{};
  bool count_include_pad = false;
  bool operator==(const AvgPool2d&) const = default;
};

// Mean over H and W: {N, H, W, C} to {N, 1, 1, C}.
struct GlobalAvgPool {
  static constexpr OperatorKind kKind{
      "GlobalAvgPool", {"input"}, OperatorClass::kAnchor};
  bool operator==(const GlobalAvgPool&) const = default;
};

struct Reshape {
  static constexpr OperatorKind kKind{
      "Reshape", {"input"}, OperatorClass::kView};
  Shape shape{};
  bool operator==(const Reshape&) const = default;
};

// exp(input) / sum of exp(input) along dimension `axis`, 0 <= axis < rank.
struct Softmax {
  static constexpr OperatorKind kKind{
      "Softmax", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  bool operator==(const Softmax&) const = default;
};

struct Identity {
  static constexpr OperatorKind kKind{
      "Identity", {"input"}, OperatorClass::kView};
  bool operator==(const Identity&) const = default;
};

using Operator =
    std::variant<Conv2d, Dense, BatchNorm, BiasAdd, Relu, Relu6, Add, MaxPool2d,
                 AvgPool2d, GlobalAvgPool, Reshape, Softmax, Identity>;

// The row of the table of kinds.
const OperatorKind& KindOf(const Operator& op);

// Kind and attributes: "Conv2d(stride=2,2 padding=3,3,3,3 dilation=1,1
// groups=1)"; h before w; padding is top, left, bottom, right. Equal operators,
// and only they, have equal text.
std::string OperatorText(const Operator& op);

}  // namespace pruner

#endif  // MODELS_GRAPH_OPERATORS_H_
