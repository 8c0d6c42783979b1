#include "models/ops/pipeline_builder.h"

#include <algorithm>
#include <limits>
#include <type_traits>
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

Halide::Func NamedFunc(absl::string_view name) {
  return Halide::Func(Halide::Internal::Function(std::string(name)));
}

Halide::RDom NamedRDom(const std::vector<ReductionAxis>& axes) {
  std::vector<Halide::Internal::ReductionVariable> variables;
  variables.reserve(axes.size());
  for (const ReductionAxis& axis : axes) {
    variables.push_back({axis.name, 0, ToExpr(axis.extent)});
  }
  return Halide::RDom(Halide::Internal::ReductionDomain(variables));
}

Expr LowestFloat() { return Expr(std::numeric_limits<float>::lowest()); }

TensorParameter::TensorParameter(const std::string& name, const Shape& shape)
    : parameter_(Halide::Float(32), /*is_buffer=*/true,
                 static_cast<int>(shape.size()), name),
      load_(NamedFunc(absl::StrCat(name, "_f"))) {
  std::vector<Halide::Var> vars;
  int64_t stride = 1;
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    const int64_t extent = shape[shape.size() - 1 - d];
    parameter_.set_min_constraint(d, 0);
    parameter_.set_extent_constraint(d, ToExpr(extent));
    parameter_.set_stride_constraint(d, ToExpr(stride));
    stride *= extent;
    vars.emplace_back(absl::StrCat("d", d));
  }
  load_(vars) = Halide::Internal::Call::make(
      parameter_, std::vector<Expr>(vars.begin(), vars.end()));
}

Expr TensorParameter::operator()(const std::vector<Expr>& indices) const {
  return load_(indices);
}

Expr WeightsParameter::operator()(const Expr& channel,
                                  const std::vector<Expr>& others,
                                  const std::vector<Expr>& position) const {
  std::vector<Expr> indices = {channel};
  indices.insert(indices.end(), others.begin(), others.end());
  if (packing_.lanes > 0) {
    indices[0] = channel % ToExpr(packing_.lanes);
    indices.push_back(channel / ToExpr(packing_.lanes));
  }
  indices.insert(indices.end(), position.begin(), position.end());
  return tensor_(indices);
}

OutputLoops ImageLoops(const Shape& shape) {
  const Halide::Var c("c"), x("x"), y("y"), n("n");
  return {.vars = {c, x, y, n}, .shape = shape, .channel = c};
}

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

const Shape& PipelineBuilder::AnchorInputShape(int index) const {
  return body_.ShapeOf(body_.nodes[0].inputs[index]);
}

const Shape& PipelineBuilder::OutputShape() const {
  return body_.ShapeOf(body_.outputs[0]);
}

TensorParameter PipelineBuilder::AnchorInput(int index, const Shape& shape) {
  const Node& anchor = body_.nodes[0];
  return Parameter(anchor.inputs[index], KindOf(anchor.op).roles[index], shape);
}

WeightsParameter PipelineBuilder::AnchorWeights(int index,
                                                int64_t winograd_tile) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  Packing packing = PackingOfWeights(tensor);
  packing.winograd_tile = winograd_tile;
  packings_[tensor] = packing;
  return {AnchorInput(index, PackedShape(body_.ShapeOf(tensor), packing)),
          packing};
}

WeightsParameter PipelineBuilder::AnchorWeightsMatrix(int index) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  const Shape& shape = body_.ShapeOf(tensor);
  const Shape matrix = {NumElements(shape) / shape.back(), shape.back()};
  const Packing packing = PackingOfWeights(tensor);
  packings_[tensor] = packing;
  return {AnchorInput(index, PackedShape(matrix, packing)), packing};
}

TensorParameter PipelineBuilder::AnchorBlockedWeights(int index,
                                                      int64_t in_lanes,
                                                      int64_t lanes) {
  const TensorId tensor = body_.nodes[0].inputs[index];
  const Packing packing = {.lanes = lanes, .in_lanes = in_lanes};
  packings_[tensor] = packing;
  return AnchorInput(index, PackedShape(body_.ShapeOf(tensor), packing));
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
  // Operands of the output's shape, and parameters per channel.
  const auto full = [&](int i) {
    if (node.inputs[i] == chain_tensor) return chain;
    return Parameter(node.inputs[i], KindOf(node.op).roles[i],
                     loops.shape)(here);
  };
  const auto per_channel = [&](int i) {
    return Parameter(node.inputs[i], KindOf(node.op).roles[i],
                     body_.ShapeOf(node.inputs[i]))({loops.channel});
  };
  return std::visit(
      [&](const auto& op) -> Expr {
        using Kind = std::decay_t<decltype(op)>;
        const Expr input = full(0);
        if constexpr (std::is_same_v<Kind, BiasAdd>) {
          return input + per_channel(1);
        } else if constexpr (std::is_same_v<Kind, Add>) {
          return input + full(1);
        } else if constexpr (std::is_same_v<Kind, Relu>) {
          return Halide::max(input, 0.0f);
        } else if constexpr (std::is_same_v<Kind, Relu6>) {
          return Halide::clamp(input, 0.0f, 6.0f);
        } else if constexpr (std::is_same_v<Kind, BatchNorm>) {
          const Expr deviation = Halide::sqrt(
              per_channel(4) + Expr(static_cast<float>(op.epsilon)));
          return (input - per_channel(3)) / deviation * per_channel(1) +
                 per_channel(2);
        } else {
          static_assert(Kind::kKind.operator_class !=
                        OperatorClass::kElementwise);
          LOG(FATAL) << Kind::kKind.name << " is not elementwise";
        }
      },
      node.op);
}

OpPipeline PipelineBuilder::Finish(size_t first_node, const Expr& anchor,
                                   const OutputLoops& loops) {
  Expr value = anchor;
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
