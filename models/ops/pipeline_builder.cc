#include "models/ops/pipeline_builder.h"

#include <algorithm>
#include <utility>

#include "absl/log/log.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

using Halide::Expr;

// The name of a tensor that is read in this role.
absl::string_view NameForRole(absl::string_view role) {
  if (role == "left") return "input";
  if (role == "right") return "residual";
  return role;
}

}  // namespace

bool IsPrivateConstant(const Subgraph& subgraph, TensorId tensor) {
  const OperatorGraph& body = subgraph.body;
  int64_t reads = 0;
  for (const Node& node : body.nodes) {
    reads += std::count(node.inputs.begin(), node.inputs.end(), tensor);
  }
  return reads == 1 &&
         std::any_of(subgraph.constant_inputs.begin(),
                     subgraph.constant_inputs.end(),
                     [&](int input) { return body.inputs[input] == tensor; });
}

PipelineBuilder::PipelineBuilder(const Subgraph& subgraph, int64_t simd_lanes)
    : subgraph_(subgraph), body_(subgraph.body), simd_lanes_(simd_lanes) {}

const Shape& PipelineBuilder::InputShape(int index) const {
  return body_.ShapeOf(body_.nodes[0].inputs[index]);
}

const Shape& PipelineBuilder::OutputShape() const {
  return body_.ShapeOf(body_.outputs[0]);
}

TensorParameter PipelineBuilder::Input(int index, const Shape& shape) {
  const Node& anchor = body_.nodes[0];
  return Parameter(anchor.inputs[index], KindOf(anchor.op).roles[index], shape);
}

WeightsParameter PipelineBuilder::TransformedWeights(int index,
                                                     int64_t winograd_tile) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  Packing packing = PackingOfWeights(tensor);
  packing.winograd_tile = winograd_tile;
  packings_[tensor] = packing;
  return {Input(index, PackedShape(body_.ShapeOf(tensor), packing)),
          packing.lanes};
}

WeightsParameter PipelineBuilder::AnchorWeightsMatrix(int index) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  const Shape& shape = body_.ShapeOf(tensor);
  const Shape matrix = {NumElements(shape) / shape.back(), shape.back()};
  const Packing packing = PackingOfWeights(tensor);
  packings_[tensor] = packing;
  return {Input(index, PackedShape(matrix, packing)), packing.lanes};
}

TensorParameter PipelineBuilder::AnchorBlockedWeights(int index,
                                                      int64_t in_lanes,
                                                      int64_t lanes) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  const Packing packing = {.lanes = lanes, .in_lanes = in_lanes};
  packings_[tensor] = packing;
  return Input(index, PackedShape(body_.ShapeOf(tensor), packing));
}

Packing PipelineBuilder::PackingOfWeights(TensorId tensor) const {
  if (!IsPrivateConstant(subgraph_, tensor)) return {};
  return ChoosePacking(body_.ShapeOf(tensor).back(), simd_lanes_);
}

TensorParameter PipelineBuilder::Parameter(TensorId tensor,
                                           absl::string_view role,
                                           const Shape& shape) {
  const auto known = parameters_.find(tensor);
  if (known != parameters_.end()) return known->second;
  std::string name(NameForRole(role));
  const int use = ++uses_of_name_[name];
  if (use > 1) absl::StrAppend(&name, "_", use);
  return parameters_[tensor] = TensorParameter(name, shape);
}

Expr PipelineBuilder::Apply(const Node& node, const Expr& chain,
                            TensorId chain_tensor, const OutputLoops& loops) {
  const std::vector<Expr> here(loops.vars.begin(), loops.vars.end());
  std::vector<Expr> operands;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const TensorId input = node.inputs[i];
    const absl::string_view role = KindOf(node.op).roles[i];
    const Shape& shape = body_.ShapeOf(input);
    if (input == chain_tensor) {
      operands.push_back(chain);
    } else if (shape == body_.ShapeOf(node.output)) {
      operands.push_back(Parameter(input, role, loops.shape)(here));
    } else {  // a parameter per channel
      operands.push_back(Parameter(input, role, shape)({loops.channel}));
    }
  }
  return std::visit(
      [&](const auto& op) -> Expr {
        if constexpr (requires { op.Emit(operands); }) {
          return op.Emit(operands);
        } else {
          LOG(FATAL) << op.kKind.name << " is not elementwise";
        }
      },
      node.op);
}

OpPipeline PipelineBuilder::Finish(const Emitted& anchor) {
  return Finish(1, anchor);
}

OpPipeline PipelineBuilder::Finish() {
  const Shape& shape = OutputShape();
  const Halide::Var c("c"), m("m");
  OutputLoops loops = {.vars = {c}, .shape = {1}, .channel = c};
  if (!shape.empty()) loops.shape = {shape.back()};
  if (shape.size() > 1) {
    loops.vars.push_back(m);
    loops.shape = {NumElements(shape) / shape.back(), shape.back()};
  }
  return Finish(0, {.value = Expr(), .loops = std::move(loops)});
}

OpPipeline PipelineBuilder::Finish(size_t first_node, const Emitted& before) {
  const OutputLoops& loops = before.loops;
  Expr value = before.value;
  TensorId chain = first_node == 0 ? -1 : body_.nodes[first_node - 1].output;
  for (size_t i = first_node; i < body_.nodes.size(); ++i) {
    value = Apply(body_.nodes[i], value, chain, loops);
    chain = body_.nodes[i].output;
  }
  Halide::Func out = NamedFunc("out");
  out(loops.vars) = value;
  int64_t stride = 1;
  for (size_t d = 0; d < loops.vars.size(); ++d) {
    const int64_t extent = loops.shape[loops.vars.size() - 1 - d];
    out.output_buffer()
        .dim(static_cast<int>(d))
        .set_bounds(0, ToExpr(extent))
        .set_stride(ToExpr(stride));
    stride *= extent;
  }
  OpPipeline result{.pipeline = Halide::Pipeline(out), .inputs = {}};
  for (const TensorId input : body_.inputs) {
    result.inputs.push_back({parameters_.at(input).name(), packings_[input]});
  }
  return result;
}

}  // namespace pruner
