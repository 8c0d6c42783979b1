#include "models/ops/op_pipeline.h"

#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "models/ops/pipeline_builder.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

OperatorClass ClassOf(const Node& node) {
  return KindOf(node.op).operator_class;
}

// As models/partition makes them.
absl::Status CheckIsKernel(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  if (body.nodes.empty() || ClassOf(body.nodes[0]) == OperatorClass::kView) {
    return absl::InvalidArgumentError(
        absl::StrCat("no kernel computes ", SubgraphSummary(subgraph),
                     ": a subgraph begins with an anchor or an elementwise "
                     "operator"));
  }
  for (size_t i = 1; i < body.nodes.size(); ++i) {
    const Node& node = body.nodes[i];
    if (ClassOf(node) != OperatorClass::kElementwise ||
        body.ShapeOf(node.output) != body.ShapeOf(body.outputs[0])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "'", body.NameOf(node), "' of ", SubgraphSummary(subgraph),
          " is not an elementwise operator whose output has the shape of the "
          "kernel's"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OpPipeline> BuildPipeline(const Subgraph& subgraph,
                                         const TargetSpec& target) {
  RETURN_IF_ERROR(CheckIsKernel(subgraph));
  PipelineBuilder builder(subgraph, target.units.simd_lanes);
  return std::visit(
      [&](const auto& op) {
        if constexpr (requires { op.Emit(builder); }) {
          return builder.Finish(op.Emit(builder));
        } else {
          return builder.Finish();
        }
      },
      subgraph.body.nodes[0].op);
}

}  // namespace pruner
