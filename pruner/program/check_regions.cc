#include "pruner/program/check_regions.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "pruner/program/structure.h"

namespace pruner {
namespace {

int NumLiveShares(const LoopValues& values, int loop) {
  const Structure& structure = values.structure();
  const LoopValue& value = structure.loops[loop];
  int live = 0;
  for (int s = 0; s < value.num_shares; ++s) {
    const int share = structure.loop_shares[value.first_share + s];
    live += values.share(share).extent > 1;
  }
  return live;
}

// The axes of a stage that are fused with others into loops whose extents
// differ from place to place.
absl::InlinedVector<char, 16> AxesFusedVarying(const LoopValues& values,
                                               const StageStructure& stage) {
  const Structure& structure = values.structure();
  absl::InlinedVector<char, 16> axes(stage.num_axes, 0);
  for (int o = 0; o < stage.num_ops; ++o) {
    const LoopOp& op = structure.ops[stage.first_op + o];
    if (op.kind != LoopOp::Kind::kFuse || !values.loop(op.result).varies ||
        NumLiveShares(values, op.result) < 2) {
      continue;
    }
    const LoopValue& value = structure.loops[op.result];
    for (int s = 0; s < value.num_shares; ++s) {
      const int share = structure.loop_shares[value.first_share + s];
      axes[values.share(share).axis] |= values.share(share).extent > 1;
    }
  }
  return axes;
}

// Whether the stage is in the same loop, or in one further in.
bool IsInSameLoop(const StageStructure& stage, const StageStructure& other) {
  return stage.at_stage == other.at_stage &&
         stage.at_position >= other.at_position;
}

// The stage reads something outside of its loop along such an axis, of which no
// more is computed than is bound.
bool ReadsBeyondBounds(const LoopValues& values, int i) {
  const Structure& structure = values.structure();
  const StageStructure& stage = structure.stages[i];
  const absl::InlinedVector<char, 16> axes = AxesFusedVarying(values, stage);
  const auto is_loose = [&](const IndexExpr& index) {
    return !index.clamped && index.modulus == 0 && !index.opaque &&
           std::any_of(
               index.terms.begin(), index.terms.end(),
               [&](const IndexTerm& term) { return axes[term.axis] != 0; });
  };
  for (const FoldedRead& read : (*structure.reads)[i].reads) {
    if (IsInSameLoop(structure.stages[read.stage], stage)) continue;
    for (size_t d = 0; d < read.indices.size(); ++d) {
      const int dimension = static_cast<int>(d);
      const bool is_bound = values.IsBoundWhole(read.stage, dimension) ||
                            values.IsExtentBound(read.stage, dimension);
      if (is_bound && is_loose(read.indices[d])) return true;
    }
  }
  return false;
}

// The stage is computed inside of a part of a fused loop that is moved inwards.
bool IsInMovedPartOfFused(const LoopValues& values,
                          const StageStructure& stage) {
  const Structure& structure = values.structure();
  const StageStructure& at = structure.stages[stage.at_stage];
  for (int o = 0; o < at.num_ops; ++o) {
    const LoopOp& op = structure.ops[at.first_op + o];
    if (op.kind != LoopOp::Kind::kSplit ||
        NumLiveShares(values, op.source) < 2) {
      continue;
    }
    int outside = 0;
    bool is_moved = false;
    for (int k = 0; k < op.count; ++k) {
      const int part = op.result + k;
      is_moved |= values.loop(part).shifts;
      const auto first = structure.order.begin() + at.first_order;
      outside += std::find(first, first + stage.at_position + 1, part) !=
                 first + stage.at_position + 1;
    }
    if (is_moved && outside > 0) return true;
  }
  return false;
}

}  // namespace

absl::Status CheckRegions(const LoopValues& values) {
  const Structure& structure = values.structure();
  for (int i = 0; i < structure.dag->size(); ++i) {
    const StageStructure& stage = structure.stages[i];
    if (stage.at_stage < 0) continue;
    const auto error = [&](const char* why) {
      const Stage& s = structure.dag->stage(i);
      return absl::InvalidArgumentError(
          absl::StrCat("stage '", s.name, "' ", why));
    };
    if (ReadsBeyondBounds(values, i)) {
      return error(
          "is computed in a loop that needs more of it here and less there: "
          "its loops can't be fused");
    }
    if (IsInMovedPartOfFused(values, stage)) {
      return error(
          "is computed inside a part of a fused loop that is moved inwards");
    }
  }
  return absl::OkStatus();
}

}  // namespace pruner
