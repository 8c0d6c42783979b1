// LoopState: the loop nests that a schedule stands for. Derived by Replay
// (replay.h), never stored; what analysis, sampling and lowering look at.
#ifndef PRUNER_SCHEDULE_LOOP_STATE_H_
#define PRUNER_SCHEDULE_LOOP_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// A share that a loop has in one axis: the loop's counter times `stride` is
// added to the axis' value.
struct LoopPart {
  int axis = 0;
  // How it came about: for each split, from the first on, the position among
  // the resulting loops plus one, four bits each.
  uint32_t path = 0;
  int64_t stride = 1;
  int64_t extent = 1;  // 0: not known yet

  bool operator==(const LoopPart&) const = default;
};

// One loop of a stage's nest; several parts where loops were fused, outermost
// first.
struct Iterator {
  absl::InlinedVector<LoopPart, 1> parts;
  // Of a fused loop that was split: this one counts in steps of `stride`, up to
  // `limit` of them, through the iterations of all the parts. The outermost has
  // no limit: 0.
  int64_t stride = 1;
  int64_t limit = 0;
  uint32_t path = 0;  // how it came about, as LoopPart::path
  // Of the parts together, or of this share of them; 0: not known yet.
  int64_t extent = 1;
  AxisKind kind = AxisKind::kSpatial;
  Annotation annotation = Annotation::kNone;

  bool operator==(const Iterator&) const = default;

  // The extent that follows from the parts' extents.
  int64_t ExtentOfParts() const;
};

enum class ComputeLocation { kRoot, kInlined, kAt };

struct StageState {
  std::vector<Iterator> iterators;  // outermost first; empty for a placeholder
  // How much of each axis one execution of the stage covers: all of it at the
  // root, the required region where computed at another stage's loop.
  std::vector<int64_t> axis_extents;
  ComputeLocation location = ComputeLocation::kRoot;
  int at_stage = -1;     // kAt only
  int at_iterator = -1;  // kAt only
  bool slides = false;   // kAt only: a SlideStep says so
  // A step said where it is computed.
  bool is_placed = false;
  int64_t auto_unroll_max_step = 0;
  // The input that is streamed ahead of the stage's loops; -1: none.
  int streamed = -1;
  Storage storage = Storage::kDefault;
  // The dimensions as they are stored, the slowest varying first; empty where
  // no step says it, and they are stored as they are numbered.
  std::vector<int64_t> storage_order;

  // A copy in an order of its own, which is there to be stored.
  bool IsPacked() const { return !storage_order.empty(); }
  bool HasLoop(Annotation annotation) const;

  bool operator==(const StageState&) const = default;
};

// The task's DAG must outlive it.
struct LoopState {
  const ComputeDag* task = nullptr;  // its DAG
  // The same with the stages that steps inserted. Look at stages through this
  // one: their numbers are not those of the task's.
  const ComputeDag* dag = nullptr;
  std::vector<StageState> stages;  // one per stage of the DAG

  // For people and tests: the loop nest of every stage, indented where
  // attached.
  std::string ToString() const;
};

// The loop's name, such as "x.1", or "y.0@x.0" where fused.
std::string IteratorName(const Stage& stage, const Iterator& iterator);

// Stages that are computed at `stage`'s loop `iterator`, ascending.
std::vector<int> AttachedAt(const LoopState& state, int stage, int iterator);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_LOOP_STATE_H_
