#include "pruner/dag/dag_proto.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "google/protobuf/text_format.h"
#include "pruner/base/status_macros.h"

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
  OpCounts::VisitFields(ops, [&](const char* name, int64_t count) {
    const auto* field = message.GetDescriptor()->FindFieldByName(name);
    if (count != 0) message.GetReflection()->SetInt64(&message, field, count);
  });
  return message;
}

OpCounts OpsFromProto(const proto::OpCounts& message) {
  OpCounts ops;
  OpCounts::VisitFields(ops, [&](const char* name, int64_t& count) {
    const auto* field = message.GetDescriptor()->FindFieldByName(name);
    count = message.GetReflection()->GetInt64(message, field);
  });
  return ops;
}

void AppendDefinition(const Definition& definition, proto::Stage& message) {
  proto::Definition& out = *message.add_definitions();
  for (const Op& op : definition.ops) {
    proto::Op& added = *out.add_ops();
    added.set_kind(static_cast<int>(op.kind));
    added.set_type(ToString(op.type));
    added.mutable_operands()->Assign(op.operands.begin(), op.operands.end());
    added.set_value(op.value);
    if (op.access >= 0) added.set_access(op.access);
    added.set_function(op.function);
  }
  out.mutable_values()->Assign(definition.values.begin(),
                               definition.values.end());
  out.mutable_indices()->Assign(definition.indices.begin(),
                                definition.indices.end());
  out.mutable_conditions()->Assign(definition.conditions.begin(),
                                   definition.conditions.end());
  out.mutable_extents()->Assign(definition.extents.begin(),
                                definition.extents.end());
  out.mutable_independent()->Assign(definition.independent.begin(),
                                    definition.independent.end());
  out.set_is_predicated(definition.is_predicated);
  out.mutable_covered()->Assign(definition.covered.begin(),
                                definition.covered.end());
}

absl::StatusOr<Definition> DefinitionFromProto(
    const proto::Definition& message) {
  Definition definition;
  for (const proto::Op& in : message.ops()) {
    ASSIGN_OR_RETURN(const ElementType type, ParseElementType(in.type()));
    definition.ops.push_back(
        {.kind = static_cast<OpKind>(in.kind()),
         .type = type,
         .operands = {in.operands().begin(), in.operands().end()},
         .value = in.value(),
         .access = in.has_access() ? in.access() : -1,
         .function = in.function()});
  }
  definition.values.assign(message.values().begin(), message.values().end());
  definition.indices.assign(message.indices().begin(), message.indices().end());
  definition.conditions.assign(message.conditions().begin(),
                               message.conditions().end());
  definition.extents.assign(message.extents().begin(), message.extents().end());
  definition.independent.assign(message.independent().begin(),
                                message.independent().end());
  definition.is_predicated = message.is_predicated();
  definition.covered.assign(message.covered().begin(), message.covered().end());
  return definition;
}

proto::Stage StageToProto(const Stage& stage) {
  proto::Stage out;
  out.set_name(stage.name);
  out.set_placeholder(stage.kind == StageKind::kPlaceholder);
  out.mutable_shape()->Assign(stage.shape.begin(), stage.shape.end());
  for (const ElementType type : stage.types) out.add_types(ToString(type));
  for (const Axis& axis : stage.axes) {
    proto::Axis& a = *out.add_axes();
    a.set_name(axis.name);
    a.set_extent(axis.extent);
    a.set_reduction(axis.kind == AxisKind::kReduction);
    a.set_selects(axis.selects);
  }
  for (const Access& access : stage.reads) AppendRead(access, out);
  for (const Definition& definition : stage.definitions)
    AppendDefinition(definition, out);
  if (stage.ops != OpCounts()) *out.mutable_ops() = OpsToProto(stage.ops);
  out.set_reduction(static_cast<int>(stage.reduction));
  out.set_is_output(stage.is_output);
  out.set_opaque(stage.opaque);
  out.set_ordered(stage.ordered);
  out.set_accumulates(stage.accumulates);
  out.set_cached(stage.cached);
  if (!stage.sizes_are_known) out.set_sizes_are_guessed(true);
  out.set_is_copy(stage.is_copy);
  if (stage.has_parts) out.set_has_parts(true);
  out.mutable_read_in_part()->Assign(stage.read_in_part.begin(),
                                     stage.read_in_part.end());
  out.set_contents(stage.contents);
  out.set_extern_function(stage.extern_function);
  out.set_author_schedule(stage.author_schedule);
  return out;
}

absl::StatusOr<Stage> StageFromProto(const proto::Stage& in) {
  Stage stage;
  stage.name = in.name();
  stage.kind = in.placeholder() ? StageKind::kPlaceholder : StageKind::kCompute;
  stage.shape.assign(in.shape().begin(), in.shape().end());
  stage.types.clear();
  for (const std::string& type : in.types()) {
    ASSIGN_OR_RETURN(stage.types.emplace_back(), ParseElementType(type));
  }
  for (const proto::Axis& axis : in.axes()) {
    stage.axes.push_back(
        {.name = axis.name(),
         .extent = axis.extent(),
         .kind = axis.reduction() ? AxisKind::kReduction : AxisKind::kSpatial,
         .selects = axis.selects()});
  }
  for (const proto::Access& access : in.reads())
    stage.reads.push_back(ReadFromProto(access));
  for (const proto::Definition& definition : in.definitions()) {
    ASSIGN_OR_RETURN(stage.definitions.emplace_back(),
                     DefinitionFromProto(definition));
  }
  stage.ops = OpsFromProto(in.ops());
  stage.reduction = static_cast<ReductionKind>(in.reduction());
  stage.is_output = in.is_output();
  stage.opaque = in.opaque();
  stage.ordered = in.ordered();
  stage.accumulates = in.accumulates();
  stage.cached = in.cached();
  stage.sizes_are_known = !in.sizes_are_guessed();
  stage.is_copy = in.is_copy();
  stage.has_parts = in.has_parts();
  stage.read_in_part.assign(in.read_in_part().begin(), in.read_in_part().end());
  stage.contents = in.contents();
  stage.extern_function = in.extern_function();
  stage.author_schedule = in.author_schedule();
  return stage;
}

}  // namespace

proto::ComputeDag ToProto(const ComputeDag& dag) {
  proto::ComputeDag message;
  for (const Stage& stage : dag.stages())
    *message.add_stages() = StageToProto(stage);
  return message;
}

absl::StatusOr<ComputeDag> FromProto(const proto::ComputeDag& message) {
  std::vector<Stage> stages;
  for (const proto::Stage& stage : message.stages()) {
    ASSIGN_OR_RETURN(stages.emplace_back(), StageFromProto(stage));
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
