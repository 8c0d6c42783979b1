#include "pruner/dag/dag_proto.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "google/protobuf/text_format.h"

namespace pruner {
namespace {

void AppendRead(const Access& access, proto::Stage& message) {
  proto::Access& out = *message.add_reads();
  out.set_stage(access.stage);
  out.set_by_initialization(access.by_initialization);
  for (const IndexExpr& index : access.indices) {
    proto::IndexExpr& expr = *out.add_indices();
    for (const IndexTerm& term : index.terms) {
      proto::IndexExpr::Term& t = *expr.add_terms();
      t.set_axis(term.axis);
      t.set_coefficient(term.coefficient);
    }
    expr.set_constant(index.constant);
    expr.set_divisor(index.divisor == 1 ? 0 : index.divisor);
    expr.set_modulus(index.modulus);
    expr.set_opaque(index.opaque);
    expr.set_clamped(index.clamped);
  }
}

Access ReadFromProto(const proto::Access& message) {
  Access access{.stage = message.stage(),
                .indices = {},
                .by_initialization = message.by_initialization()};
  for (const proto::IndexExpr& expr : message.indices()) {
    IndexExpr index;
    for (const proto::IndexExpr::Term& term : expr.terms()) {
      index.terms.push_back(
          {.axis = term.axis(), .coefficient = term.coefficient()});
    }
    index.constant = expr.constant();
    index.divisor = expr.divisor() == 0 ? 1 : expr.divisor();
    index.modulus = expr.modulus();
    index.opaque = expr.opaque();
    index.clamped = expr.clamped();
    access.indices.push_back(std::move(index));
  }
  return access;
}

proto::OpCounts OpsToProto(const OpCounts& ops) {
  proto::OpCounts message;
  message.set_float_add(ops.float_add);
  message.set_float_mul(ops.float_mul);
  message.set_float_div(ops.float_div);
  message.set_float_compare(ops.float_compare);
  message.set_float_math(ops.float_math);
  message.set_integer(ops.integer);
  message.set_select(ops.select);
  return message;
}

OpCounts OpsFromProto(const proto::OpCounts& message) {
  return {.float_add = message.float_add(),
          .float_mul = message.float_mul(),
          .float_div = message.float_div(),
          .float_compare = message.float_compare(),
          .float_math = message.float_math(),
          .integer = message.integer(),
          .select = message.select()};
}

}  // namespace

proto::ComputeDag ToProto(const ComputeDag& dag) {
  proto::ComputeDag message;
  for (const Stage& stage : dag.stages()) {
    proto::Stage& out = *message.add_stages();
    out.set_name(stage.name);
    out.set_placeholder(stage.kind == StageKind::kPlaceholder);
    for (int64_t extent : stage.shape) out.add_shape(extent);
    out.set_element_bytes(stage.element_bytes);
    for (const Axis& axis : stage.axes) {
      proto::Axis& a = *out.add_axes();
      a.set_name(axis.name);
      a.set_extent(axis.extent);
      a.set_reduction(axis.kind == AxisKind::kReduction);
      a.set_selects(axis.selects);
    }
    for (const Access& access : stage.reads) AppendRead(access, out);
    if (stage.ops != OpCounts()) *out.mutable_ops() = OpsToProto(stage.ops);
    out.set_is_output(stage.is_output);
    out.set_opaque(stage.opaque);
    out.set_ordered(stage.ordered);
    out.set_accumulates(stage.accumulates);
    out.set_cached(stage.cached);
  }
  return message;
}

absl::StatusOr<ComputeDag> FromProto(const proto::ComputeDag& message) {
  std::vector<Stage> stages;
  for (const proto::Stage& in : message.stages()) {
    Stage stage;
    stage.name = in.name();
    stage.kind =
        in.placeholder() ? StageKind::kPlaceholder : StageKind::kCompute;
    stage.shape.assign(in.shape().begin(), in.shape().end());
    stage.element_bytes = in.element_bytes();
    for (const proto::Axis& axis : in.axes()) {
      stage.axes.push_back(
          {.name = axis.name(),
           .extent = axis.extent(),
           .kind = axis.reduction() ? AxisKind::kReduction : AxisKind::kSpatial,
           .selects = axis.selects()});
    }
    for (const proto::Access& access : in.reads())
      stage.reads.push_back(ReadFromProto(access));
    stage.ops = OpsFromProto(in.ops());
    stage.is_output = in.is_output();
    stage.opaque = in.opaque();
    stage.ordered = in.ordered();
    stage.accumulates = in.accumulates();
    stage.cached = in.cached();
    stages.push_back(std::move(stage));
  }
  return ComputeDag::Create(std::move(stages));
}

std::string PrintDag(const ComputeDag& dag) {
  std::string text;
  CHECK(google::protobuf::TextFormat::PrintToString(ToProto(dag), &text));
  return text;
}

absl::StatusOr<ComputeDag> ParseDag(absl::string_view text) {
  proto::ComputeDag message;
  if (!google::protobuf::TextFormat::ParseFromString(text, &message)) {
    return absl::InvalidArgumentError("not the text form of a ComputeDag");
  }
  return FromProto(message);
}

}  // namespace pruner
