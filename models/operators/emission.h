// What operators are made of in Halide: parameters with names and sizes, and
// who gives an anchor its inputs.
#ifndef MODELS_OPERATORS_EMISSION_H_
#define MODELS_OPERATORS_EMISSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/string_view.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"

namespace pruner {

// Halide indices are 32 bits.
inline Halide::Expr ToExpr(int64_t value) {
  return Halide::Expr(static_cast<int32_t>(value));
}

// An attribute in the arithmetic of kernels.
inline Halide::Expr FloatExpr(double value) {
  return Halide::Expr(static_cast<float>(value));
}

// A Func of exactly this name; Func("conv") would be "conv$1" the second time,
// and the bytes of a pipeline different each time it is built.
Halide::Func NamedFunc(absl::string_view name);

// A reduction domain whose variables have exactly these names, innermost first.
struct ReductionAxis {
  std::string name;
  int64_t extent = 1;
};
Halide::RDom NamedRDom(const std::vector<ReductionAxis>& axes);

// The lowest finite float, where maxima begin: Halide lets LLVM assume that
// there are no infinities.
Halide::Expr LowestFloat();

// As tensors lie in memory; a bool is a byte there.
Halide::Type StoredType(DataType type);

// A dense input tensor; reads name the index of each dimension, innermost
// first. They go through a Func, "input_f" for the tensor "input", with the
// variables d0, d1, ..., that does nothing but load: a schedule stages an input
// with Func::in, which a parameter does not have. What is read of a bool tensor
// is a condition.
class TensorParameter {
 public:
  TensorParameter() = default;
  TensorParameter(const std::string& name, const Shape& shape,
                  DataType type = DataType::kFloat32);

  // The same elements seen as a tensor of another shape: the index of each in
  // memory is what stays.
  TensorParameter Reshaped(const Shape& shape) const;

  // One of {N, C, ...} that is read as {N, ..., C}.
  TensorParameter ChannelsLast() const;

  Halide::Expr operator()(const std::vector<Halide::Expr>& indices) const;
  const std::string& name() const { return parameter_.name(); }

 private:
  Halide::Parameter parameter_;
  Halide::Func load_;
  DataType type_ = DataType::kFloat32;
  Shape stored_;  // the parameter's
  Shape seen_;
  bool is_channels_last_ = false;  // but stored with the channels first
};

// Weights whose output channels may lie in vectors: reads name the output
// channel, the indices of the other dimensions, innermost first, and, of
// transformed weights, the position.
class WeightsParameter {
 public:
  // `lanes` output channels lie together, the innermost dimension, and how many
  // there are of these is the dimension behind those of the others; 0: stored
  // as the tensor is.
  WeightsParameter(const TensorParameter& tensor, int64_t lanes)
      : tensor_(tensor), lanes_(lanes) {}

  Halide::Expr operator()(const Halide::Expr& channel,
                          const std::vector<Halide::Expr>& others,
                          const std::vector<Halide::Expr>& position = {}) const;

 private:
  TensorParameter tensor_;
  int64_t lanes_;
};

// The loops of "out".
struct OutputLoops {
  std::vector<Halide::Var> vars;  // innermost first
  Shape shape;                    // outermost first; as many extents as vars
  // The index of the element within the innermost dimension of the subgraph's
  // output, which is what parameters per channel are read at.
  Halide::Expr channel;
};

// The loops of an {N, H, W, C} tensor: c, x, y, n; also of those with one
// spatial dimension, which has x, or three, the outermost of which has z.
OutputLoops ImageLoops(const Shape& shape);

// What an anchor computes: an expression at the loops of its output.
struct Emitted {
  Halide::Expr value;
  OutputLoops loops;
};

// An anchor at its place in a kernel.
class AnchorEmitter {
 public:
  virtual ~AnchorEmitter() = default;

  virtual const Shape& InputShape(int index) const = 0;
  virtual const Shape& OutputShape() const = 0;
  // The input as a tensor of `shape`, a reshaping of its own. A tensor that is
  // asked for in several shapes is one parameter, of the first of them.
  virtual TensorParameter Input(int index, const Shape& shape) = 0;
  // An input that constants may be laid out for, by its last dimension.
  virtual WeightsParameter Weights(int index) = 0;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_EMISSION_H_
