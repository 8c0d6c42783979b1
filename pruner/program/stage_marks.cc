#include "pruner/program/stage_marks.h"

namespace pruner {
namespace {

// More copies than this only cost compile time.
constexpr int64_t kMaxUnrolledVectors = 16;

// Many machines have no instructions that load and store some lanes of smaller
// elements.
constexpr int kMaskedBytes = 4;

}  // namespace

StageMarks::StageMarks(const Structure& structure, int stage,
                       const TargetSpec& target, LoopValues& values,
                       Program& program)
    : structure_(structure),
      stage_(structure.stages[stage]),
      is_initialized_(structure.dag->stage(stage).IsInitialized()),
      lanes_(VectorLanes(structure.dag->stage(stage), target)),
      has_masks_(structure.dag->stage(stage).ElementBytes() >= kMaskedBytes),
      values_(values),
      program_(program),
      is_bound_(HasBoundLoop()) {}

LoopNumbers& StageMarks::Loop(int position) const {
  return values_.loop(structure_.order[stage_.first_order + position]);
}

bool StageMarks::HasBoundLoop() const {
  for (int k = 0; k < stage_.num_order; ++k) {
    if (Loop(k).IsBound()) return true;
  }
  return false;
}

void StageMarks::KeepRolled() {
  bool is_outside = false, is_sparse = false;
  for (int k = stage_.num_order - 1; k >= 0; --k) {
    is_outside |= structure_.is_occupied[stage_.first_order + k];
    is_sparse |= structure_.is_sparse[stage_.first_order + k];
    LoopNumbers& loop = Loop(k);
    const bool stays = is_sparse || (is_outside && loop.overruns);
    if (stays && loop.annotation == Annotation::kUnroll)
      loop.annotation = Annotation::kNone;
  }
}

// Halide takes a vector with a guard in a guard apart.
VectorCut StageMarks::CutOf(const LoopNumbers& loop) const {
  const bool is_masked = loop.overruns || loop.varies;
  if (is_bound_) return CutIntoThreadVectors(loop.extent, lanes_, is_masked);
  const LastVector last = !is_initialized_ ? LastVector::kOverlaps
                          : has_masks_     ? LastVector::kIsMasked
                                           : LastVector::kNone;
  const VectorCut cut = CutIntoVectors(loop.extent, lanes_, last, is_masked);
  const bool is_guarded = cut.overruns || loop.varies;
  return loop.overruns && is_guarded ? VectorCut{.vectors = loop.extent} : cut;
}

void StageMarks::AutoUnroll(int64_t max_step) {
  int64_t copies = 1;
  for (int k = stage_.num_order - 1; k >= 0; --k) {
    if (structure_.is_occupied[stage_.first_order + k]) return;
    LoopNumbers& loop = Loop(k);
    if (loop.annotation == Annotation::kParallel || loop.IsBound()) return;
    const VectorCut cut = CutOf(loop);
    const bool is_vector =
        loop.annotation == Annotation::kVectorize && cut.length > 1;
    const bool is_serial =
        !is_vector && (loop.annotation == Annotation::kNone ||
                       loop.annotation == Annotation::kVectorize);
    if (loop.varies && is_serial) return;
    copies *= is_vector ? cut.vectors : loop.extent;
    if (copies > max_step && is_serial) return;
    if (loop.IsLive() && is_serial) loop.annotation = Annotation::kUnroll;
  }
}

void StageMarks::DecideUnrolling(int64_t max_step) {
  KeepRolled();
  KeepOuterOverrunsScalar();
  if (max_step > 0) AutoUnroll(max_step);
}

// Where a guard depends on loops inside of a vector, Halide makes no vector of
// it.
void StageMarks::KeepOuterOverrunsScalar() {
  bool is_inside = false;
  for (int k = stage_.num_order - 1; k >= 0; --k) {
    LoopNumbers& loop = Loop(k);
    if (is_inside && loop.overruns && loop.annotation == Annotation::kVectorize)
      loop.annotation = Annotation::kNone;
    is_inside |= loop.IsLive();
  }
}

void StageMarks::DecideBody() {
  for (int k = 0; k < stage_.num_order; ++k) {
    if (Loop(k).IsLive()) Decide(Loop(k), /*is_pure=*/!is_initialized_);
  }
}

void StageMarks::DecideBoundInitialization() {
  for (int k = 0; k < stage_.num_order; ++k) {
    LoopNumbers& loop = Loop(k);
    const bool is_reduction =
        structure_.loops[structure_.order[stage_.first_order + k]].is_reduction;
    if (loop.IsLive() && !is_reduction) Decide(loop, /*is_pure=*/true);
  }
}

void StageMarks::DecideInitialization(Annotation annotation,
                                      LoopNumbers& loop) {
  loop.annotation = annotation;
  Decide(loop, /*is_pure=*/true);
}

void StageMarks::Decide(LoopNumbers& loop, bool is_pure) {
  loop.kind = LoopKind::kSerial;
  loop.vector_length = 1;
  loop.is_cut = false;
  switch (loop.annotation) {
    case Annotation::kNone:
      break;
    case Annotation::kParallel:
      loop.kind = LoopKind::kParallel;
      Mark(LoopTransform::Kind::kParallel, loop.label);
      break;
    case Annotation::kBlock:
      loop.kind = LoopKind::kBlock;
      Mark(LoopTransform::Kind::kBlock, loop.label);
      break;
    case Annotation::kThread:
      loop.kind = LoopKind::kThread;
      Mark(LoopTransform::Kind::kThread, loop.label);
      break;
    case Annotation::kVThread:
    case Annotation::kUnroll:
      Unroll(loop);
      break;
    case Annotation::kVectorize:
      CutVectors(loop, is_pure);
      break;
  }
}

void StageMarks::Unroll(LoopNumbers& loop) {
  if (loop.varies) return;
  loop.kind = loop.annotation == Annotation::kVThread ? LoopKind::kVThread
                                                      : LoopKind::kUnrolled;
  Mark(LoopTransform::Kind::kUnroll, loop.label);
}

void StageMarks::CutVectors(LoopNumbers& loop, bool is_pure) {
  const VectorCut cut = CutOf(loop);
  if (cut.length == 1) {
    // A thread's registers are not indexed by loops.
    if (is_bound_) Unroll(loop);
    return;
  }
  loop.vector_length = cut.length;
  if (cut.length == loop.extent && !loop.varies) {
    loop.kind = LoopKind::kVectorized;
    Mark(LoopTransform::Kind::kVectorize, loop.label);
    return;
  }
  loop.is_cut = true;
  loop.vectors_label = AddLabel(LoopLabel::Origin::kVectors, loop.label);
  loop.lanes_label = AddLabel(LoopLabel::Origin::kLanes, loop.label);
  const bool divides = is_pure && !loop.varies && !cut.overruns;
  program_.marks.push_back({.kind = LoopTransform::Kind::kSplit,
                            .a = loop.label,
                            .b = loop.vectors_label,
                            .c = loop.lanes_label,
                            .factor = cut.length,
                            .tail = !divides       ? Tail::kGuard
                                    : cut.overlaps ? Tail::kShiftInwards
                                                   : Tail::kRoundUp});
  Mark(LoopTransform::Kind::kVectorize, loop.lanes_label);
  if (cut.vectors > kMaxUnrolledVectors || loop.varies) return;
  loop.kind = LoopKind::kUnrolled;
  Mark(LoopTransform::Kind::kUnroll, loop.vectors_label);
}

void StageMarks::Mark(LoopTransform::Kind kind, int label) {
  program_.marks.push_back({.kind = kind, .a = label});
}

int StageMarks::AddLabel(LoopLabel::Origin origin, int base) {
  program_.labels.push_back(
      {.origin = origin,
       .stage = program_.labels[base].stage,
       .base = base,
       .is_reduction = program_.labels[base].is_reduction});
  return static_cast<int>(program_.labels.size()) - 1;
}

}  // namespace pruner
