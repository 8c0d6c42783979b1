#include "pruner/workload/canonical_form.h"

#include <algorithm>
#include <vector>

#include "absl/strings/string_view.h"

namespace pruner {
namespace {

// Every list is preceded by its length, so that no two forms are the same bytes
// cut differently.
class Writer {
 public:
  std::string bytes;

  void Byte(uint8_t value) { bytes.push_back(static_cast<char>(value)); }

  // Seven bits a byte, the lowest first; small numbers of either sign are
  // short.
  void Number(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    uint64_t rest = (bits << 1) ^ (value < 0 ? ~uint64_t{0} : 0);
    for (; rest >= 0x80; rest >>= 7)
      Byte(static_cast<uint8_t>(rest & 0x7f) | 0x80);
    Byte(static_cast<uint8_t>(rest));
  }

  void Text(absl::string_view text) {
    Number(static_cast<int64_t>(text.size()));
    bytes.append(text);
  }

  template <typename List, typename WriteOne>
  void Each(const List& list, const WriteOne& write) {
    Number(static_cast<int64_t>(list.size()));
    for (const auto& element : list) write(element);
  }

  template <typename List>
  void Numbers(const List& list) {
    Each(list, [&](int64_t value) { Number(value); });
  }

  void Type(ElementType type) {
    Byte(static_cast<uint8_t>(type.code));
    Number(type.bits);
  }
};

void WriteDefinition(const Definition& definition, const Stage& stage,
                     Writer& out) {
  out.Each(definition.ops, [&](const Op& op) {
    out.Byte(static_cast<uint8_t>(op.kind));
    out.Type(op.type);
    out.Numbers(op.operands);
    out.Number(op.value);
    if (op.kind == OpKind::kRead) out.Number(stage.reads[op.access].stage);
    out.Text(op.function);
  });
  out.Numbers(definition.values);
  out.Numbers(definition.indices);
  out.Numbers(definition.conditions);
  out.Numbers(definition.extents);
}

void WriteWithoutDefinitions(const Stage& stage, Writer& out) {
  OpCounts::VisitFields(stage.ops,
                        [&](const char*, int64_t count) { out.Number(count); });
  out.Number(static_cast<int64_t>(stage.reduction));
  out.Number(stage.opaque + 2 * stage.ordered + 4 * stage.accumulates);
  out.Each(stage.reads, [&](const Access& access) {
    out.Number(access.stage);
    out.Number(access.by_initialization);
    out.Each(access.indices, [&](const IndexExpr& index) {
      out.Each(index.terms, [&](const IndexTerm& term) {
        out.Number(term.axis);
        out.Number(term.coefficient);
      });
      out.Number(index.constant);
      out.Number(index.divisor);
      out.Number(index.modulus);
      out.Number(index.opaque + 2 * index.clamped);
    });
  });
}

}  // namespace

std::string CanonicalForm(const ComputeDag& dag) {
  Writer out;
  out.Byte(kCanonicalVersion);
  out.Each(dag.stages(), [&](const Stage& stage) {
    out.Byte(stage.kind == StageKind::kPlaceholder ? 0 : 1);
    out.Byte(stage.is_output);
    out.Numbers(stage.shape);
    out.Each(stage.types, [&](ElementType type) { out.Type(type); });
    out.Number(static_cast<int64_t>(stage.contents));
    out.Text(stage.extern_function);
    out.Each(stage.axes, [&](const Axis& axis) {
      out.Number(axis.extent);
      out.Byte(axis.kind == AxisKind::kReduction);
    });
    out.Each(stage.definitions, [&](const Definition& definition) {
      WriteDefinition(definition, stage, out);
    });
    if (stage.definitions.empty() && stage.kind == StageKind::kCompute)
      WriteWithoutDefinitions(stage, out);
  });
  const bool any_size =
      std::any_of(dag.stages().begin(), dag.stages().end(), [](const Stage& s) {
        return s.kind == StageKind::kPlaceholder && !s.sizes_are_known;
      });
  if (any_size) out.Byte(1);
  for (int i = 0; i < dag.size(); ++i) {
    if (dag.stage(i).author_schedule == 0) continue;
    out.Number(i);
    out.Number(static_cast<int64_t>(dag.stage(i).author_schedule));
  }
  return out.bytes;
}

}  // namespace pruner
