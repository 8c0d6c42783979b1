#include "pruner/program/loop_values.h"

#include <algorithm>
#include <cstddef>

#include "pruner/base/factors.h"

namespace pruner {

void LoopValues::Compute(const Structure& structure,
                         absl::Span<const int64_t> numbers, Program& program) {
  late_steps_ = nullptr;
  Begin(structure, numbers, program);
  ComputeStages();
}

void LoopValues::Compute(Structure& structure,
                         absl::Span<const int64_t> numbers,
                         LateSteps& late_steps, Program& program) {
  changing_ = &structure;
  late_steps_ = &late_steps;
  Begin(structure, numbers, program);
  ComputeStages();
}

void LoopValues::Begin(const Structure& structure,
                       absl::Span<const int64_t> numbers, Program& program) {
  structure_ = &structure;
  program_ = &program;
  loops_.assign(structure.loops.size(), LoopNumbers());
  shares_.resize(structure.share_axes.size());
  for (size_t i = 0; i < shares_.size(); ++i)
    shares_[i] = {.axis = structure.share_axes[i]};
  lengths_.resize(structure.lengths.size());
  for (size_t i = 0; i < lengths_.size(); ++i) {
    const LengthValue& length = structure.lengths[i];
    lengths_[i] = 1;
    for (int k = 0; k < length.num_numbers; ++k)
      lengths_[i] *= numbers[structure.length_numbers[length.first_number + k]];
  }
  program.axis_extents.resize(structure.num_axes);
  varying_.assign(structure.num_axes, 0);
  tiles_.assign(structure.num_axes, 0);
  covered_.resize(structure.num_axes);
  regions_.resize(structure.num_member_axes);
  region_begins_.resize(structure.num_member_axes);
  member_region_.assign(structure.stages.size(), Region());
  alignments_.assign(structure.num_axes, 0);
  aligned_.resize(structure.num_axes);
  zeros_.resize(structure.num_axes, 0);
  ones_.resize(structure.num_axes, 1);
  covers_.resize(structure.loops.size());
  slides_.assign(structure.stages.size(), SlideNumbers());
  early_.resize(structure.stages.size());
  has_edge_tiles_ = false;
  region_alignments_.resize(structure.num_member_axes);
  region_is_divisible_.resize(structure.num_member_axes);
}

void LoopValues::ComputeStages() {
  for (int i = static_cast<int>(structure_->stages.size()) - 1; i >= 0; --i)
    ComputeStage(i);
}

void LoopValues::ComputeStage(int i) {
  const StageStructure& stage = structure_->stages[i];
  const Stage& s = structure_->dag->stage(i);
  int64_t* const extents = &program_->axis_extents[stage.first_axis];
  if (stage.at_stage < 0) {
    for (int a = 0; a < stage.num_axes; ++a) extents[a] = s.axes[a].extent;
  }
  ProgramStage& out = program_->stages[i];
  out.first_axis = stage.first_axis;
  out.first_label = static_cast<int>(program_->labels.size());
  out.first_transform = static_cast<int>(program_->transforms.size());
  FindVarying(i);
  if (stage.is_absent || s.opaque) {
    // The loops of a stage as written are made with its definitions.
    for (int d = 0; d < stage.rank && !stage.is_absent; ++d)
      AddLabel({.stage = i, .number = d});
    FindRests(i);
    return;
  }
  for (int a = 0; a < stage.num_axes; ++a) {
    const bool is_reduction = s.axes[a].kind == AxisKind::kReduction;
    LoopNumbers& loop = loops_[stage.first_loop + a];
    loop.extent = extents[a];
    loop.varies = varying_[stage.first_axis + a];
    loop.label =
        AddLabel({.stage = i, .number = a, .is_reduction = is_reduction});
    const LoopValue& value = structure_->loops[stage.first_loop + a];
    shares_[structure_->loop_shares[value.first_share]].extent = extents[a];
  }
  for (int o = 0; o < stage.num_ops; ++o) {
    const LoopOp& op = structure_->ops[stage.first_op + o];
    switch (op.kind) {
      case LoopOp::Kind::kSplit:
        Split(i, op);
        break;
      case LoopOp::Kind::kFuse:
        Fuse(i, op);
        break;
      case LoopOp::Kind::kAnnotate:
        loops_[op.source].annotation = op.annotation;
        break;
    }
  }
  if (late_steps_ != nullptr) {
    BeginLateSteps(i);
    late_steps_->Decide(i, *this);
  }
  PinBound(i);
  out.num_transforms =
      static_cast<int>(program_->transforms.size()) - out.first_transform;
  FindRests(i);
  for (int p = 0; p < stage.num_points; ++p)
    ComputeRegions(structure_->points[stage.first_point + p]);
}

int LoopValues::AddLabel(LoopLabel label) {
  program_->labels.push_back(label);
  return static_cast<int>(program_->labels.size()) - 1;
}

bool LoopValues::IsWholeAxis(int label) const {
  const LoopLabel& l = program_->labels[label];
  return l.origin == LoopLabel::Origin::kAxis && !l.is_reduction;
}

void LoopValues::Split(int i, const LoopOp& op) {
  const bool is_initialized = structure_->dag->stage(i).IsInitialized();
  const LoopNumbers source = loops_[op.source];
  const LoopValue& value = structure_->loops[op.source];
  const bool is_fused = value.num_shares > 1;
  const int64_t* const lengths = &lengths_[op.first_length];
  // From the innermost outwards: `inner` iterations are further in.
  int64_t inner = 1;
  int live = 0;
  for (int k = op.count - 1; k >= 0; --k) {
    LoopNumbers& loop = loops_[op.result + k];
    loop.extent = CeilDiv(source.extent, inner);
    if (k > 0) loop.extent = std::min(loop.extent, lengths[k - 1]);
    if (is_fused) {
      loop.step = source.step * inner;
    } else {
      const LoopValue& result = structure_->loops[op.result + k];
      LoopShare& share = shares_[structure_->loop_shares[result.first_share]];
      share.stride =
          shares_[structure_->loop_shares[value.first_share]].stride * inner;
      share.extent = loop.extent;
    }
    live += loop.IsLive();
    if (k > 0) inner *= lengths[k - 1];
  }
  // From the outermost inwards: each is split off what is left.
  bool overruns = source.overruns;
  bool is_first = true;
  int rest = source.label;
  int64_t rest_extent = source.extent;
  int64_t inner_of = 1;
  for (int k = 1; k < op.count; ++k) inner_of *= lengths[k - 1];
  for (int k = 0; k < op.count; ++k) {
    // `inner_of`: iterations further in than k.
    LoopNumbers& loop = loops_[op.result + k];
    if (loop.IsLive()) {
      // What is split off has a constant extent, what is left has not.
      if (is_first) loop.varies = source.varies;
      if (--live == 0) {
        loop.label = rest;
      } else {
        const bool is_reduction = program_->labels[rest].is_reduction;
        loop.label = AddLabel({.origin = LoopLabel::Origin::kLevel,
                               .stage = i,
                               .base = source.label,
                               .number = k,
                               .is_reduction = is_reduction});
        int rest_number = k;
        LoopLabel::Origin rest_origin = LoopLabel::Origin::kRest;
        if (live == 1) {
          // The last one: named by its level.
          rest_origin = LoopLabel::Origin::kLevel;
          for (rest_number = k + 1; !loops_[op.result + rest_number].IsLive();
               ++rest_number) {
          }
        }
        const int inner_label = AddLabel({.origin = rest_origin,
                                          .stage = i,
                                          .base = source.label,
                                          .number = rest_number,
                                          .is_reduction = is_reduction});
        // What divides needs no tail, and Halide does not always find that out
        // for a guard itself. Otherwise reductions allow nothing but a guard:
        // computing an element twice would change it. (Halide allows no more
        // than rounding up the whole loop; what is split off that has a
        // constant extent.)
        const bool is_exact = rest_extent % inner_of == 0;
        const bool needs_guard =
            is_initialized && (!is_exact || !IsWholeAxis(rest));
        // Nor does a part whose extent is not known: it may be shorter than the
        // factor, and what lies outside of it must not be read.
        const bool is_guarded = needs_guard || (is_first && source.varies);
        // Nor does one that is rounded up: what more is computed may lie
        // outside of the output, and what is read for it outside of an input.
        const Tail tail = is_exact && !is_guarded ? Tail::kRoundUp
                          : is_guarded || op.tail == Tail::kRoundUp
                              ? Tail::kGuard
                              : op.tail;
        overruns |= tail == Tail::kGuard && !is_exact;
        loop.shifts = tail == Tail::kShiftInwards && !is_exact;
        program_->transforms.push_back({.kind = LoopTransform::Kind::kSplit,
                                        .a = rest,
                                        .b = loop.label,
                                        .c = inner_label,
                                        .factor = inner_of,
                                        .tail = tail});
        rest = inner_label;
        rest_extent = inner_of;
      }
      is_first = false;
    }
    if (k + 1 < op.count) inner_of /= lengths[k];
  }
  for (int k = 0; k < op.count; ++k) loops_[op.result + k].overruns = overruns;
}

void LoopValues::Fuse(int i, const LoopOp& op) {
  const int* const sources = &structure_->fused_loops[op.source];
  LoopNumbers fused = loops_[sources[0]];
  bool shifts = fused.shifts;
  for (int k = 1; k < op.count; ++k) {
    const LoopNumbers& inner = loops_[sources[k]];
    shifts |= inner.shifts;
    if (!inner.IsLive()) continue;
    if (!fused.IsLive()) {
      fused = inner;
      continue;
    }
    const int label =
        AddLabel({.origin = LoopLabel::Origin::kFused,
                  .stage = i,
                  .base = fused.label,
                  .other = inner.label,
                  .is_reduction = program_->labels[fused.label].is_reduction});
    program_->transforms.push_back({.kind = LoopTransform::Kind::kFuse,
                                    .a = inner.label,
                                    .b = fused.label,
                                    .c = label});
    fused.label = label;
    fused.extent *= inner.extent;
    fused.varies |= inner.varies;
    fused.overruns |= inner.overruns;
  }
  fused.shifts = shifts;
  loops_[op.result] = fused;
}

void LoopValues::PinBound(int i) {
  const StageStructure& stage = structure_->stages[i];
  for (int k = 0; k < stage.num_order; ++k) {
    LoopNumbers& loop = loops_[structure_->order[stage.first_order + k]];
    if (loop.IsBound() && !loop.IsLive()) Pin(i, loop);
  }
}

// Split off the stage's first axis before anything else is: split off a loop
// made of several it would hide from Halide that each of these has one value.
void LoopValues::Pin(int i, LoopNumbers& loop) {
  const ProgramStage& stage = program_->stages[i];
  const int axis = stage.first_label;
  loop.is_pinned = true;
  loop.label =
      AddLabel({.origin = LoopLabel::Origin::kOne, .stage = i, .base = axis});
  program_->transforms.insert(
      program_->transforms.begin() + stage.first_transform,
      {.kind = LoopTransform::Kind::kSplit,
       .a = axis,
       .b = axis,
       .c = loop.label,
       .factor = 1,
       .tail = Tail::kRoundUp});
}

namespace {

// The extent of what an index covers is the same wherever the reader's loops
// are.
bool IsFixed(const IndexExpr& index, const char* reader_tiles) {
  if (index.modulus != 0) return true;
  if (index.opaque || index.clamped || index.divisor != 1) return false;
  return std::none_of(
      index.terms.begin(), index.terms.end(),
      [&](const IndexTerm& term) { return reader_tiles[term.axis] != 0; });
}

}  // namespace

void LoopValues::FindVarying(int i) {
  const StageStructure& stage = structure_->stages[i];
  const Stage& s = structure_->dag->stage(i);
  char* const varying = &varying_[stage.first_axis];
  // Inputs have dimensions, and no axes.
  if (!s.sizes_are_known)
    std::fill_n(varying, std::min(stage.rank, stage.num_axes), 1);
  if (stage.at_stage < 0 && !stage.is_inlined) return;
  for (int d = 0; d < stage.rank; ++d) {
    // Of what is bound all is computed.
    if (stage.at_stage >= 0 && IsBoundWhole(i, d)) {
      varying[d] = 0;
      continue;
    }
    varying[d] |= structure_->is_shrinking[stage.first_axis + d];
    for (const ReadGroup& read :
         structure_->facts->ReadsAlong(stage.first_axis + d)) {
      const int reader = structure_->stages[read.reader].first_axis;
      varying[d] |= !IsFixed(*read.index, &tiles_[reader]);
    }
  }
}

bool LoopValues::IsBoundWhole(int i, int dimension) const {
  if (!CanBeBound(i)) return false;
  const StageStructure& stage = structure_->stages[i];
  const Stage& s = structure_->dag->stage(i);
  const int axis = stage.first_axis + dimension;
  if (stage.at_stage < 0) return structure_->is_shrinking[axis] || s.is_copy;
  return program_->axis_extents[axis] == s.shape[dimension];
}

bool LoopValues::IsExtentBound(int i, int dimension) const {
  const StageStructure& stage = structure_->stages[i];
  return CanBeBound(i) && stage.at_stage >= 0 &&
         !axis_varies(stage.first_axis + dimension);
}

bool LoopValues::CanBeBound(int i) const {
  const Stage& s = structure_->dag->stage(i);
  return !s.is_output && s.sizes_are_known && s.extern_function.empty() &&
         !structure_->stages[i].is_absent;
}

void LoopValues::FindRests(int i) {
  const StageStructure& stage = structure_->stages[i];
  char* const tiles = &tiles_[stage.first_axis];
  for (int a = 0; a < stage.num_axes; ++a)
    tiles[a] = varying_[stage.first_axis + a];
  if (stage.is_absent || !stage.is_guarded) return;
  CoverAxes(stage, /*first=*/0, tiles);
}

}  // namespace pruner
