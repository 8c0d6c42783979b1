#include "pruner/program/definition_loops.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"

namespace pruner {
namespace {

// Whether the index is the axis' value. What begins at another number than 0
// is that less the number.
bool IsAxis(const Definition& definition, int op, int axis) {
  const Op& o = definition.ops[op];
  if (o.kind == OpKind::kAxis) return o.value == axis && o.operands.empty();
  if (o.kind != OpKind::kSub) return false;
  const Op& value = definition.ops[o.operands[0]];
  return value.kind == OpKind::kAxis && value.value == axis &&
         value.operands.size() == 1 && value.operands[0] == o.operands[1];
}

}  // namespace

bool IteratesOver(const Definition& definition, int axis) {
  return definition.indices.empty() ||
         std::any_of(definition.indices.begin(), definition.indices.end(),
                     [&](int op) { return IsAxis(definition, op, axis); });
}

bool Scatters(const Definition& definition) {
  absl::InlinedVector<char, 64> is_of_data;
  for (const Op& op : definition.ops) {
    const bool reads = op.kind == OpKind::kRead || op.kind == OpKind::kSelf;
    is_of_data.push_back(
        reads ||
        std::any_of(op.operands.begin(), op.operands.end(),
                    [&](int operand) { return is_of_data[operand] != 0; }));
  }
  return std::any_of(definition.indices.begin(), definition.indices.end(),
                     [&](int op) { return is_of_data[op] != 0; });
}

bool IsScan(const Definition& definition, int rank) {
  for (int axis = 0; axis < rank; ++axis) {
    if (!IteratesOver(definition, axis)) return !definition.extents.empty();
  }
  return false;
}

}  // namespace pruner
