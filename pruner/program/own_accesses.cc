#include "pruner/program/own_accesses.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pruner {
namespace {

// No tensor has as many elements along a dimension.
constexpr int64_t kMaxCoefficient = int64_t{1} << 31;

void Add(const IndexTerm& term, int64_t factor, IndexExpr& to) {
  if (factor > kMaxCoefficient || factor < -kMaxCoefficient) return;
  const auto known =
      std::find_if(to.terms.begin(), to.terms.end(),
                   [&](const IndexTerm& t) { return t.axis == term.axis; });
  const int64_t sum = term.coefficient * factor +
                      (known == to.terms.end() ? 0 : known->coefficient);
  if (known != to.terms.end()) to.terms.erase(known);
  if (sum != 0 && std::abs(sum) <= kMaxCoefficient)
    to.terms.push_back({.axis = term.axis, .coefficient = sum});
}

// How the values of the definition's operations move, by operation: those of
// which indices are made share much.
class Moves {
 public:
  explicit Moves(const Definition& definition) {
    for (const Op& op : definition.ops)
      moves_.push_back(MoveOf(definition, op));
  }

  std::vector<IndexExpr> Of(const std::vector<int>& ops) const {
    std::vector<IndexExpr> indices;
    for (const int op : ops) indices.push_back(moves_[op]);
    return indices;
  }

 private:
  IndexExpr MoveOf(const Definition& definition, const Op& op) const {
    IndexExpr index;
    index.opaque =
        op.kind == OpKind::kRead || op.kind == OpKind::kSelf ||
        std::any_of(op.operands.begin(), op.operands.end(),
                    [&](int operand) { return moves_[operand].opaque; });
    const auto add = [&](int operand, int64_t factor) {
      for (const IndexTerm& term : moves_[op.operands[operand]].terms)
        Add(term, factor, index);
    };
    switch (op.kind) {
      case OpKind::kAxis:
        index.terms.push_back({.axis = static_cast<int>(op.value)});
        break;
      case OpKind::kCast:
        add(0, 1);
        break;
      case OpKind::kAdd:
      case OpKind::kSub:
        add(0, 1);
        add(1, op.kind == OpKind::kAdd ? 1 : -1);
        break;
      case OpKind::kMul:
        for (const int k : {0, 1}) {
          const Op& factor = definition.ops[op.operands[k]];
          if (factor.kind == OpKind::kConstant) add(1 - k, factor.value);
        }
        break;
      default:
        break;
    }
    return index;
  }

  std::vector<IndexExpr> moves_;
};

}  // namespace

OwnAccesses OwnAccessesOf(const Definition& definition, int spatial_rank) {
  OwnAccesses own;
  const Moves moves(definition);
  if (definition.indices.empty()) {
    for (int axis = 0; axis < spatial_rank; ++axis)
      own.written.indices.push_back({.terms = {{.axis = axis}}});
  } else {
    own.written.indices = moves.Of(definition.indices);
  }
  for (const Op& op : definition.ops) {
    if (op.kind != OpKind::kSelf || op.operands.empty() ||
        op.operands == definition.indices) {
      continue;
    }
    OwnAccess read = {.indices = moves.Of(op.operands)};
    const auto same = std::find_if(
        own.read.begin(), own.read.end(),
        [&](const OwnAccess& other) { return other.indices == read.indices; });
    if (same != own.read.end()) {
      ++same->count;
    } else {
      own.read.push_back(std::move(read));
    }
  }
  return own;
}

}  // namespace pruner
