// What the pipelines of all kernels have in common: their parameters, and the
// Func "out" behind an anchor.
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
#include "models/operators/emission.h"
#include "models/operators/shape.h"
#include "models/ops/op_pipeline.h"
#include "models/ops/operand_access.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Whether the tensor is a constant that one node reads once: its layout is
// nobody else's.
bool IsPrivateConstant(const Subgraph& subgraph, TensorId tensor);

// The subgraph is one that BuildPipeline accepts.
class PipelineBuilder : public AnchorEmitter {
 public:
  PipelineBuilder(const Subgraph& subgraph, int64_t simd_lanes);

  // AnchorEmitter: weights are packed if nobody else reads the constant.
  const Shape& InputShape(int index) const override;
  const Shape& OutputShape() const override;
  TensorParameter Input(int index, const Shape& shape) override;
  WeightsParameter Weights(int index) override {
    return TransformedWeights(index, /*winograd_tile=*/0);
  }

  // The same, transformed for Winograd tiles of `winograd_tile`, unless that is
  // 0.
  WeightsParameter TransformedWeights(int index, int64_t winograd_tile);
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

  // Ends with "out": the nodes behind the anchor, applied to its result.
  OpPipeline Finish(const Emitted& anchor);
  // All nodes, none of which is an anchor.
  OpPipeline Finish();

 private:
  // How the anchor's weights are packed if they are not transformed.
  Packing PackingOfWeights(TensorId tensor) const;
  TensorParameter Parameter(TensorId tensor, absl::string_view role,
                            const Shape& shape);
  OpPipeline Finish(size_t first_node, const Emitted& before);
  // How a node behind the anchor reads an operand of this shape.
  OperandAccess Access(const Shape& operand, const OutputLoops& loops) const;
  // The node's result, given those of the nodes before it.
  Halide::Expr Apply(const Node& node,
                     const std::map<TensorId, Halide::Expr>& computed,
                     const OutputLoops& loops);
  const Subgraph& subgraph_;
  const OperatorGraph& body_;
  int64_t simd_lanes_;
  std::map<TensorId, TensorParameter> parameters_;
  std::map<TensorId, Packing> packings_;
  std::map<std::string, int, std::less<>> uses_of_name_;
};

}  // namespace pruner

#endif  // MODELS_OPS_PIPELINE_BUILDER_H_
