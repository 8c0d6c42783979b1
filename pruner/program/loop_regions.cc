// What stages that are computed in a loop cover there.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "pruner/base/factors.h"
#include "pruner/program/loop_values.h"
#include "pruner/schedule/read_range.h"

namespace pruner {

void LoopValues::ComputeRegions(const AttachPoint& point) {
  const StageStructure& at = structure_->stages[point.stage];
  CoverAxes(at, point.position + 1, /*oversteps=*/nullptr);
  AlignAxes(point);
  at_region_ = {.begins = zeros_.data(),
                .extents = covered_.data(),
                .alignments = aligned_.data(),
                .is_divisible = ones_.data()};
  early_[point.stage] = 0;
  for (int m = 0; m < point.num_members; ++m)
    ComputeRegion(point, structure_->members[point.first_member + m]);
  if (!point.has_edges) return;
  if (!has_edge_tiles_) edge_tiles_.Reset(*structure_);
  has_edge_tiles_ = true;
  FindSteps(point);
  const auto number = static_cast<int>(&point - structure_->points.data());
  edge_tiles_.Measure(number, steps_, absl::MakeConstSpan(covered_),
                      absl::MakeSpan(program_->axis_extents));
}

template <typename See>
void LoopValues::ForMovingShares(const AttachPoint& point, See see) const {
  const StageStructure& stage = structure_->stages[point.stage];
  for (int k = 0; k <= point.position; ++k) {
    const int loop = structure_->order[stage.first_order + k];
    const LoopValue& value = structure_->loops[loop];
    for (int s = 0; s < value.num_shares; ++s) {
      const LoopShare& share =
          shares_[structure_->loop_shares[value.first_share + s]];
      if (share.extent != 1) see(share, loops_[loop].shifts);
    }
  }
}

void LoopValues::FindSteps(const AttachPoint& point) {
  steps_.clear();
  ForMovingShares(point, [&](const LoopShare& share, bool shifts) {
    // The parts of a fused loop have all of its shares.
    const bool is_known =
        std::any_of(steps_.begin(), steps_.end(), [&](const TileStep& step) {
          return step.axis == share.axis && step.stride == share.stride;
        });
    if (is_known) return;
    steps_.push_back({.axis = share.axis,
                      .stride = share.stride,
                      .extent = share.extent,
                      .shifts = shifts});
  });
}

void LoopValues::ComputeRegion(const AttachPoint& point,
                               const AttachMember& member) {
  const StageStructure& stage = structure_->stages[member.stage];
  const Stage& s = structure_->dag->stage(member.stage);
  Region& region = member_region_[member.stage];
  region = {.begins = &region_begins_[member.first_extent],
            .extents = &regions_[member.first_extent],
            .alignments = &region_alignments_[member.first_extent],
            .is_divisible = &region_is_divisible_[member.first_extent]};
  for (int a = 0; a < stage.num_axes; ++a) {
    const bool is_whole = a >= stage.rank || !ComputeRange(point, member, a);
    if (is_whole) {
      region.begins[a] = 0;
      region.alignments[a] = a < stage.rank ? 1 : 0;
      region.is_divisible[a] = a >= stage.rank;
      region.extents[a] = s.axes[a].extent;
    }
    if (member.is_computed_here || stage.is_inlined)
      varying_[stage.first_axis + a] |= is_whole && a < stage.rank;
  }
  const bool is_slid_over = structure_->is_slid_over[PlaceOf(point)] != 0;
  if (is_slid_over) early_[member.stage] = EarlyIterations(member.stage);
  if (!member.is_computed_here) return;
  if (is_slid_over) Slide(point, member.stage, region);
  for (int a = 0; a < stage.num_axes; ++a) {
    alignments_[stage.first_axis + a] =
        std::gcd(region.alignments[a], region.begins[a]);
    program_->axis_extents[stage.first_axis + a] = region.extents[a];
  }
}

bool LoopValues::CanBeSlidOver(const AttachPoint& point) const {
  const int* const order =
      &structure_->order[structure_->stages[point.stage].first_order];
  const int loop = order[point.position];
  const LoopNumbers& numbers = loops_[loop];
  if (numbers.extent == 1 || numbers.annotation != Annotation::kNone ||
      numbers.shifts || numbers.overruns) {
    return false;
  }
  const LoopShare& own = FirstShareOf(loop);
  for (int k = 0; k < structure_->stages[point.stage].num_order; ++k) {
    const LoopValue& value = structure_->loops[order[k]];
    for (int s = 0; s < value.num_shares && k != point.position; ++s) {
      const LoopShare& share =
          shares_[structure_->loop_shares[value.first_share + s]];
      if (share.axis != own.axis || share.extent == 1) continue;
      const bool is_nested = k < point.position
                                 ? share.stride >= own.stride * own.extent
                                 : share.stride * share.extent <= own.stride;
      if (!is_nested) return false;
    }
  }
  return true;
}

bool LoopValues::SlidesOverNoOther(const AttachPoint& point,
                                   const StageStructure& stage,
                                   const Region& region) const {
  const StageStructure& at = structure_->stages[point.stage];
  for (int d = 0; d < stage.rank; ++d) {
    if (d == stage.slide.dimension || region.extents[d] == 1) continue;
    for (int a = 0; a < at.num_axes; ++a) {
      if ((stage.slide.other_axes >> a & 1) != 0 &&
          program_->axis_extents[at.first_axis + a] == 1) {
        return false;
      }
    }
  }
  return true;
}

int64_t LoopValues::EarlyIterations(int stage) const {
  int64_t early = 0;
  for (const int reader : structure_->dag->consumers(stage))
    early = std::max(early, early_[reader]);
  return early;
}

void LoopValues::Slide(const AttachPoint& point, int i, Region& region) {
  const StageStructure& stage = structure_->stages[i];
  slides_[i].early = early_[i];
  const int d = stage.slide.dimension;
  if (d < 0 || !CanBeSlidOver(point) ||
      !SlidesOverNoOther(point, stage, region)) {
    return;
  }
  const int loop = structure_->order[PlaceOf(point)];
  const int64_t added = stage.slide.factor * FirstShareOf(loop).stride;
  const int64_t known = region.extents[d] - added;
  if (known <= 0) return;
  early_[i] += CeilDiv(known, added);
  slides_[i] = {.dimension = d,
                .kept = static_cast<int64_t>(
                    std::bit_ceil(static_cast<uint64_t>(region.extents[d]))),
                .early = early_[i]};
  region.begins[d] += known;
  region.extents[d] = added;
  // As far as the compiler is concerned.
  varying_[stage.first_axis + d] = 1;
}

bool LoopValues::ComputeRange(const AttachPoint& point,
                              const AttachMember& member, int axis) {
  const StageStructure& stage = structure_->stages[member.stage];
  const MovesTogether together =
      structure_->moves_together[member.first_extent + axis];
  if (together == MovesTogether::kNever) return false;
  ReadRange range;
  bool is_divisible = true;
  for (const ReadGroup& read :
       structure_->facts->ReadsAlong(stage.first_axis + axis)) {
    const IndexExpr& index = *read.index;
    const Region& reader =
        read.reader == point.stage ? at_region_ : member_region_[read.reader];
    range.Add(index, read.least, read.most, reader.begins, reader.extents,
              reader.alignments);
    for (const IndexTerm& term : index.terms)
      is_divisible &= reader.is_divisible[term.axis] != 0;
  }
  is_divisible &= range.IsExact();
  if (together == MovesTogether::kIfDivisible && !is_divisible) return false;
  Region& region = member_region_[member.stage];
  region.begins[axis] = range.Begin();
  region.alignments[axis] = range.Alignment();
  region.is_divisible[axis] = is_divisible;
  region.extents[axis] =
      range.Extent(structure_->dag->stage(member.stage).shape[axis]);
  return true;
}

void LoopValues::AlignAxes(const AttachPoint& point) {
  const StageStructure& stage = structure_->stages[point.stage];
  for (int a = 0; a < stage.num_axes; ++a)
    aligned_[a] = alignments_[stage.first_axis + a];
  ForMovingShares(point, [&](const LoopShare& share, bool shifts) {
    // A tile that is moved inwards begins anywhere.
    aligned_[share.axis] =
        std::gcd(aligned_[share.axis], shifts ? 1 : share.stride);
  });
}

void LoopValues::CoverAxes(const StageStructure& stage, int first,
                           char* oversteps) {
  for (int k = 0; k < stage.num_order; ++k) {
    const int value = structure_->order[stage.first_order + k];
    covers_[value] = k < first ? 1 : loops_[value].extent;
  }
  // What was made of a loop comes after it.
  for (int o = stage.num_ops; o-- > 0;) {
    const LoopOp& op = structure_->ops[stage.first_op + o];
    if (op.kind == LoopOp::Kind::kSplit) CoverSplit(op, oversteps);
    if (op.kind == LoopOp::Kind::kFuse) CoverFused(op);
  }
  for (int a = 0; a < stage.num_axes; ++a)
    covered_[a] = covers_[stage.first_loop + a];
}

void LoopValues::CoverSplit(const LoopOp& op, char* oversteps) {
  const LoopValue& source = structure_->loops[op.source];
  const int64_t extent = loops_[op.source].extent;
  int64_t covered = 1;
  int64_t inner = 1;
  for (int k = op.count - 1; k >= 0; --k) {
    const LoopNumbers& loop = loops_[op.result + k];
    const int64_t covers = covers_[op.result + k];
    // What is cut into iterations of loop k.
    const int64_t outer =
        k > 0 ? inner * lengths_[op.first_length + k - 1] : extent;
    // The last one may be moved inwards.
    covered += loop.shifts && covers == loop.extent
                   ? std::min(outer, extent) - inner
                   : (covers - 1) * inner;
    inner = outer;
  }
  covers_[op.source] = std::min(covered, extent);
  if (oversteps == nullptr || (covered <= extent && source.num_shares == 1))
    return;
  for (int s = 0; s < source.num_shares; ++s) {
    const int share = structure_->loop_shares[source.first_share + s];
    oversteps[shares_[share].axis] = 1;
  }
}

// Halide takes the inner of the fused loops for whole.
void LoopValues::CoverFused(const LoopOp& op) {
  const int64_t covered = covers_[op.result];
  int64_t inside = 1;
  for (int k = op.count - 1; k >= 0; --k) {
    const int source = structure_->fused_loops[op.source + k];
    const int64_t extent = loops_[source].extent;
    covers_[source] = covered == 1 ? 1 : extent;
    if (k > 0) inside *= extent;
  }
  if (covered == 1) return;
  // Of the outermost, wherever it begins.
  const int outermost = structure_->fused_loops[op.source];
  const int64_t latest = inside - std::gcd(covered, inside);
  covers_[outermost] =
      std::min(covers_[outermost], (latest + covered - 1) / inside + 1);
}

}  // namespace pruner
