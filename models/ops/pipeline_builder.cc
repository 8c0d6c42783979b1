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
  return Parameter(anchor.inputs[index], KindOf(anchor.op).RoleOf(index),
                   shape);
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
  if (known != parameters_.end()) return known->second.Reshaped(shape);
  std::string name(NameForRole(role));
  const int use = ++uses_of_name_[name];
  if (use > 1) absl::StrAppend(&name, "_", use);
  return parameters_[tensor] =
             TensorParameter(name, shape, body_.TypeOf(tensor));
}

OperandAccess PipelineBuilder::Access(const Shape& operand,
                                      const OutputLoops& loops) const {
  const Shape& output = OutputShape();
  if (operand == output)
    return {loops.shape, {loops.vars.begin(), loops.vars.end()}};
  const bool is_per_channel =
      operand.size() == 1 && !output.empty() && operand.back() == output.back();
  if (is_per_channel) return {operand, {loops.channel}};
  return AccessOperand(operand, output, loops);
}

Expr PipelineBuilder::Apply(const Node& node,
                            const std::map<TensorId, Expr>& computed,
                            const OutputLoops& loops) {
  std::vector<Expr> operands;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const TensorId input = node.inputs[i];
    if (const auto found = computed.find(input); found != computed.end()) {
      operands.push_back(found->second);
      continue;
    }
    const absl::string_view role = KindOf(node.op).RoleOf(static_cast<int>(i));
    const OperandAccess access = Access(body_.ShapeOf(input), loops);
    operands.push_back(Parameter(input, role, access.shape)(access.indices));
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
  std::vector<Shape> operands;
  for (const TensorId input : body_.inputs)
    operands.push_back(body_.ShapeOf(input));
  return Finish(
      0, {.value = Expr(), .loops = ElementwiseLoops(OutputShape(), operands)});
}

OpPipeline PipelineBuilder::Finish(size_t first_node, const Emitted& before) {
  const OutputLoops& loops = before.loops;
  std::map<TensorId, Expr> computed;
  if (first_node > 0) computed[body_.nodes[0].output] = before.value;
  for (size_t i = first_node; i < body_.nodes.size(); ++i) {
    const Node& node = body_.nodes[i];
    computed[node.output] = Apply(node, computed, loops);
  }
  const TensorId output = body_.outputs[0];
  Halide::Func out = NamedFunc("out");
  out(loops.vars) = body_.TypeOf(output) == DataType::kBool
                        ? Halide::cast<uint8_t>(computed.at(output))
                        : computed.at(output);
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
