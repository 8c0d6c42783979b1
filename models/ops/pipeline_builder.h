// What the pipelines of all kinds of operators have in common: parameters with
// names and sizes, and the Func "out" behind an anchor.
#ifndef MODELS_OPS_PIPELINE_BUILDER_H_
#define MODELS_OPS_PIPELINE_BUILDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/strings/string_view.h"
#include "models/graph/operator_graph.h"
#include "models/ops/op_pipeline.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Halide indices are 32 bits.
inline Halide::Expr ToExpr(int64_t value) {
  return Halide::Expr(static_cast<int32_t>(value));
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

// A dense input tensor; reads name the index of each dimension, innermost
// first. They go through a Func, "input_f" for the tensor "input", with the
// variables d0, d1, ..., that does nothing but load: a schedule stages an input
// with Func::in, which a parameter does not have.
class TensorParameter {
 public:
  TensorParameter() = default;
  TensorParameter(const std::string& name, const Shape& shape);

  Halide::Expr operator()(const std::vector<Halide::Expr>& indices) const;
  const std::string& name() const { return parameter_.name(); }

 private:
  Halide::Parameter parameter_;
  Halide::Func load_;
};

// The weights of an anchor, packed or not: reads name the output channel, the
// indices of the other dimensions, innermost first, and, of transformed
// weights, the position.
class WeightsParameter {
 public:
  WeightsParameter(const TensorParameter& tensor, const Packing& packing)
      : tensor_(tensor), packing_(packing) {}

  Halide::Expr operator()(const Halide::Expr& channel,
                          const std::vector<Halide::Expr>& others,
                          const std::vector<Halide::Expr>& position = {}) const;

 private:
  TensorParameter tensor_;
  Packing packing_;
};

// The loops of "out".
struct OutputLoops {
  std::vector<Halide::Var> vars;  // innermost first
  Shape shape;                    // outermost first; as many extents as vars
  // The index of the element within the innermost dimension of the subgraph's
  // output, which is what parameters per channel are read at.
  Halide::Expr channel;
};

// The loops of an {N, H, W, C} tensor: c, x, y, n.
OutputLoops ImageLoops(const Shape& shape);

// Whether the tensor is a constant that one node reads once: its layout is
// nobody else's.
bool IsPrivateConstant(const Subgraph& subgraph, TensorId tensor);

// The subgraph is one that BuildPipeline accepts.
class PipelineBuilder {
 public:
  PipelineBuilder(const Subgraph& subgraph, int64_t simd_lanes);

  const Shape& AnchorInputShape(int index) const;
  const Shape& OutputShape() const;

  // The anchor's input as a tensor of `shape`, a reshaping of its own; the same
  // each time one tensor is asked for.
  TensorParameter AnchorInput(int index, const Shape& shape);
  // The anchor's weights; constants that nobody else reads are packed, and
  // transformed for Winograd tiles of `winograd_tile`, unless that is 0.
  WeightsParameter AnchorWeights(int index, int64_t winograd_tile = 0);
  // The same weights as a matrix, {kh * kw * ci, co}.
  WeightsParameter AnchorWeightsMatrix(int index);
  // The anchor's weights, which are a private constant, in blocks of channels.
  TensorParameter AnchorBlockedWeights(int index, int64_t in_lanes,
                                       int64_t lanes);
  int64_t simd_lanes() const { return simd_lanes_; }
  template <typename Op>
  const Op& AnchorOp() const {
    return std::get<Op>(body_.nodes[0].op);
  }

  // Ends with "out": the nodes from `first_node` on, applied to `anchor` (the
  // anchor's result at the loops; undefined if first_node is 0).
  OpPipeline Finish(size_t first_node, const Halide::Expr& anchor,
                    const OutputLoops& loops);

 private:
  // How the anchor's weights are packed if they are not transformed.
  Packing PackingOfWeights(TensorId tensor) const;
  TensorParameter Parameter(TensorId tensor, absl::string_view role,
                            const Shape& shape);
  // The node's result, given that of the node before it.
  Halide::Expr Apply(const Node& node, const Halide::Expr& chain,
                     TensorId chain_tensor, const OutputLoops& loops);
  const Subgraph& subgraph_;
  const OperatorGraph& body_;
  int64_t simd_lanes_;
  std::map<TensorId, TensorParameter> parameters_;
  std::map<TensorId, Packing> packings_;
  std::map<std::string, int, std::less<>> uses_of_name_;
};

}  // namespace pruner

#endif  // MODELS_OPS_PIPELINE_BUILDER_H_
