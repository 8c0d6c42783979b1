// From a subgraph to the Halide pipeline that computes it.
#ifndef MODELS_OPS_OP_PIPELINE_H_
#define MODELS_OPS_OP_PIPELINE_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "models/ops/packing.h"
#include "models/partition/subgraph.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// One input of a subgraph as the pipeline reads it.
struct OpInput {
  std::string name;  // of the pipeline's parameter: "input", "weights", "bias"
  Packing packing;   // plain for all but the weights of an anchor

  bool operator==(const OpInput&) const = default;
};

// The pipeline has no schedule. Its one output is the Func "out": the bias,
// residuals and activations behind the anchor, or the identity. Before it, an
// anchor has its accumulator with an initialization and one update ("conv",
// "dense", "pool"; a softmax has "largest", "exponential" and "sum"), and the
// input of a padded one is read through the Func "pad".
//
// Elements are as StoredType has them; Halide's dimensions are the tensors',
// innermost first: c, x, y, n. All bounds are constants and all strides dense;
// dimensions that are equal to the computation may be fused into one (the rows
// of a matrix product), so that a buffer has the bytes of the subgraph's tensor
// but not always its rank.
struct OpPipeline {
  Halide::Pipeline pipeline;
  std::vector<OpInput> inputs;  // in the order of subgraph.body.inputs
};

// Deterministic: the same subgraph and vector length give the same serialized
// bytes, however often it is called in a process. InvalidArgument if the
// subgraph is not an anchor followed by elementwise operators (or such
// operators alone) whose outputs have the shape of its own.
absl::StatusOr<OpPipeline> BuildPipeline(const Subgraph& subgraph,
                                         const TargetSpec& target);

}  // namespace pruner

#endif  // MODELS_OPS_OP_PIPELINE_H_
