#include <algorithm>
#include <array>
#include <vector>

#include "pruner/program/loop_values.h"

namespace pruner {

void LoopValues::BeginLateSteps(int stage) {
  late_stage_ = stage;
  // At the end of the arrays, where there is room for more.
  StageStructure& s = changing_->stages[stage];
  // Returns where they begin then.
  const auto move = [](auto& values, int first, int count) {
    const int moved = static_cast<int>(values.size());
    for (int k = 0; k < count; ++k) values.push_back(values[first + k]);
    return moved;
  };
  for (auto* flags : PlaceFlags()) move(*flags, s.first_order, s.num_order);
  s.first_order = move(changing_->order, s.first_order, s.num_order);
  s.first_op = move(changing_->ops, s.first_op, s.num_ops);
}

std::array<std::vector<char>*, 3> LoopValues::PlaceFlags() {
  return {&changing_->is_occupied, &changing_->is_slid_over,
          &changing_->is_sparse};
}

void LoopValues::AddOp(const LoopOp& op) {
  changing_->ops.push_back(op);
  ++changing_->stages[late_stage_].num_ops;
  covers_.resize(changing_->loops.size());
}

void LoopValues::MoveChildren(int first, int by) {
  const StageStructure& s = changing_->stages[late_stage_];
  for (int c = 0; c < s.num_children; ++c) {
    int& position =
        changing_->stages[changing_->children[s.first_child + c]].at_position;
    if (position >= first) position += by;
  }
  for (int p = 0; p < s.num_points; ++p) {
    int& position = changing_->points[s.first_point + p].position;
    if (position >= first) position += by;
  }
}

void LoopValues::CutOff(int position, int64_t length) {
  StageStructure& s = changing_->stages[late_stage_];
  const int place = s.first_order + position;
  const LoopOp op = {.kind = LoopOp::Kind::kSplit,
                     .tail = Tail::kGuard,
                     .source = changing_->order[place],
                     .result = static_cast<int>(changing_->loops.size()),
                     .count = 2,
                     .first_length = static_cast<int>(lengths_.size())};
  lengths_.push_back(length);
  const LoopValue source = changing_->loops[op.source];
  for (int k = 0; k < op.count; ++k) {
    LoopValue part = source;
    if (source.num_shares == 1) {
      const int axis =
          changing_->share_axes[changing_->loop_shares[source.first_share]];
      part.first_share = static_cast<int>(changing_->loop_shares.size());
      changing_->loop_shares.push_back(
          static_cast<int>(changing_->share_axes.size()));
      changing_->share_axes.push_back(axis);
      shares_.push_back({.axis = axis});
    }
    changing_->loops.push_back(part);
    loops_.emplace_back();
  }
  AddOp(op);
  Split(late_stage_, op);
  s.is_guarded = true;
  ++s.num_order;
  changing_->order[place] = op.result;
  changing_->order.insert(changing_->order.begin() + place + 1, op.result + 1);
  for (auto* flags : PlaceFlags()) flags->insert(flags->begin() + place + 1, 0);
  MoveChildren(position + 1, 1);
}

void LoopValues::FuseOutermost(int count) {
  StageStructure& s = changing_->stages[late_stage_];
  const auto first = changing_->order.begin() + s.first_order;
  const LoopOp op = {.kind = LoopOp::Kind::kFuse,
                     .source = static_cast<int>(changing_->fused_loops.size()),
                     .result = static_cast<int>(changing_->loops.size()),
                     .count = count};
  LoopValue fused = changing_->loops[*first];
  fused.first_share = static_cast<int>(changing_->loop_shares.size());
  fused.num_shares = 0;
  for (int k = 0; k < count; ++k) {
    const int loop = first[k];
    changing_->fused_loops.push_back(loop);
    const LoopValue& value = changing_->loops[loop];
    fused.num_shares += value.num_shares;
    for (int share = 0; share < value.num_shares; ++share) {
      changing_->loop_shares.push_back(
          changing_->loop_shares[value.first_share + share]);
    }
  }
  changing_->loops.push_back(fused);
  loops_.emplace_back();
  AddOp(op);
  Fuse(late_stage_, op);
  first[count - 1] = op.result;
  changing_->order.erase(first, first + count - 1);
  for (auto* flags : PlaceFlags()) {
    const auto outer = flags->begin() + s.first_order;
    flags->erase(outer, outer + count - 1);
  }
  s.num_order -= count - 1;
  MoveChildren(count - 1, 1 - count);
}

void LoopValues::Annotate(int position, Annotation annotation) {
  const StageStructure& s = changing_->stages[late_stage_];
  loops_[changing_->order[s.first_order + position]].annotation = annotation;
}

void LoopValues::MoveInnermost(int position) {
  const StageStructure& s = changing_->stages[late_stage_];
  const auto move = [&](auto& by_place) {
    const auto first = by_place.begin() + s.first_order;
    std::rotate(first + position, first + position + 1, first + s.num_order);
  };
  move(changing_->order);
  for (auto* flags : PlaceFlags()) move(*flags);
  MoveChildren(position + 1, -1);
}

}  // namespace pruner
