// ComputeDag: what one task computes, as data. Stages in topological order,
// each with its iteration domain, what it reads and how, and what it computes
// (docs/algorithms.md A1). Nothing here knows Halide;
// halide_ext/analyze makes these from pipelines and tests make them by hand.
#ifndef PRUNER_DAG_COMPUTE_DAG_H_
#define PRUNER_DAG_COMPUTE_DAG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/dag/body.h"
#include "pruner/dag/element_type.h"
#include "pruner/dag/op_counts.h"

namespace pruner {

enum class AxisKind { kSpatial, kReduction };

// One loop of a stage's naive nest. Iterates over [0, extent).
struct Axis {
  std::string name;
  int64_t extent = 1;
  AxisKind kind = AxisKind::kSpatial;
  // Its value chooses between constants, as in Winograd's transforms: where its
  // loop is unrolled, these are known (Ansor's `simplify_const_tensor_indices`,
  // docs/algorithms.md A3).
  bool selects = false;

  bool operator==(const Axis&) const = default;
};

// coefficient * (the reading stage's axis).
struct IndexTerm {
  int axis = 0;
  int64_t coefficient = 1;

  bool operator==(const IndexTerm&) const = default;
};

// One index of an access: floor((sum of terms + constant) / divisor) mod
// modulus.
struct IndexExpr {
  std::vector<IndexTerm> terms;
  int64_t constant = 0;
  int64_t divisor = 1;
  int64_t modulus = 0;  // 0: none
  // Not of that form, data-dependent perhaps: `terms` then only names the axes
  // it varies with, and any index of the dimension may be read.
  bool opaque = false;
  // The index is clamped to the dimension, so iterating past an axis' end is
  // safe.
  bool clamped = false;

  // Whether the axis is among the terms.
  bool VariesWith(int axis) const;

  bool operator==(const IndexExpr&) const = default;
};

// One read of another stage's value; an index per dimension, outermost first.
struct Access {
  int stage = 0;
  std::vector<IndexExpr> indices;
  // A reduction's initialization reads it, which is not inside the loops of the
  // body.
  bool by_initialization = false;

  bool operator==(const Access&) const = default;
};

enum class StageKind { kPlaceholder, kCompute };

// A tensor and, unless it is an input, the loop nest that computes it. A
// reduction is one stage: an initialization over the spatial axes, then the
// body over all of them.
struct Stage {
  std::string name;
  StageKind kind = StageKind::kCompute;
  // Extents, outermost (slowest varying) dimension first. For a compute stage
  // these are the extents of its spatial axes, in order.
  std::vector<int64_t> shape;
  // Of an element's values: one, or several where it is a tuple.
  std::vector<ElementType> types = {kFloat32};
  // Spatial axes (outermost first), then reduction axes (outermost first).
  std::vector<Axis> axes;
  std::vector<Access> reads;
  // What it computes: the pure definition, then the updates; those of a
  // reduction are its initialization and the body. What an extern stage is
  // given, as the values of one definition. None where a step has inserted the
  // stage: what it computes follows from the stage that it was made for.
  std::vector<Definition> definitions = {};
  // Of one iteration of the last definition.
  OpCounts ops = {};
  ReductionKind reduction = ReductionKind::kNone;
  // Stored whole, at the root: an output of the task, or what an extern stage
  // reads.
  bool is_output = false;
  // The stage's definitions cannot be split or reordered safely (an extern
  // stage, several updates that depend on each other, …); it is computed as
  // written. Of an input: it is read in place, and cannot be copied.
  bool opaque = false;
  // Of an opaque stage: can be computed in parts along its independent
  // dimensions (Definition::independent), of which each update takes all of the
  // others.
  bool has_parts = false;
  // The reduction is not known to be associative and commutative: partial
  // results cannot be combined.
  bool ordered = false;
  // Adds to what its initialization has stored (see WithCacheWrite of an
  // output), so that no element may be computed twice.
  bool accumulates = false;
  // Computed apart from its storage, into which another stage copies it.
  bool cached = false;
  // The compiler knows the extents. Not so where an extern stage says what it
  // needs when it runs; they are estimates then.
  bool sizes_are_known = true;
  // A copy of another stage that a step inserted, of what some read of it.
  bool is_copy = false;
  // By dimension: the compiler may find that less is needed than readers seem
  // to read, by the conditions around a read or by the values of what an index
  // is made from. Empty: of none.
  std::vector<bool> read_in_part = {};
  // Of an input that is part of the pipeline (a table): a hash of its elements.
  // 0: it is given at run time.
  uint64_t contents = 0;
  // The function of an extern stage; empty: it is none.
  std::string extern_function = {};
  // Of an opaque stage that the program's author has scheduled, so that nothing
  // of it is ours to decide: a hash of how. 0: nobody has.
  uint64_t author_schedule = 0;

  bool operator==(const Stage&) const = default;

  int ElementBytes() const;
  int SpatialRank() const { return static_cast<int>(shape.size()); }
  bool HasReduction() const { return axes.size() > shape.size(); }
  bool HasSelectingAxes() const;
  // Of an opaque stage: whether iterations of any definition that differ in the
  // spatial axis may run in any order and at once.
  bool IsIndependent(int axis) const;
  // Whether a part of the stage along the spatial axis can be computed without
  // the rest. Not so where what is computed as written depends on itself.
  bool IsDivisible(int axis) const;
  // Whether it can be computed in parts, in loops of its readers.
  bool IsPlaceable() const;
  // Whether what iterations of a reader's loop have computed of it can be kept
  // for the next ones, which then compute only the rest.
  bool IsSlidable() const;
  // An initialization runs before the loops of the last definition.
  bool IsInitialized() const {
    return HasReduction() || accumulates || definitions.size() > 1;
  }
  // Whether the initialization reads stage `producer`.
  bool InitializationReads(int producer) const;
  int64_t SpatialSize() const;  // product of the spatial extents
  int64_t ReductionSize()
      const;  // product of the reduction extents, 1 without any
};

// The computation of one task. Immutable once made.
class ComputeDag {
 public:
  // Checks what every reader relies on: reads point to earlier stages and have
  // one index per dimension, terms name axes that exist, extents are positive,
  // compute stages' spatial axes agree with their shape, definitions are well
  // formed and count as `ops` says, and products of extents and operations can
  // be computed without care for overflow.
  static absl::StatusOr<ComputeDag> Create(std::vector<Stage> stages);

  const std::vector<Stage>& stages() const { return stages_; }
  const Stage& stage(int i) const { return stages_[i]; }
  int size() const { return static_cast<int>(stages_.size()); }

  // Stages that read `i`, ascending, without repetition.
  const std::vector<int>& consumers(int i) const { return consumers_[i]; }
  // Stages that `i` reads, ascending, without repetition.
  const std::vector<int>& producers(int i) const { return producers_[i]; }

  // Of one iteration of the last definition; where that is not known, for a
  // step has inserted the stage, of operations that are as wide as what it
  // stores.
  const IntegerWork& integer_work(int i) const { return integer_work_[i]; }
  // All operations of it by spatial axis; none where no definition says it.
  const WorkByAxis& work_by_axis(int i) const { return work_by_axis_[i]; }

  // Floating-point operations of one evaluation (docs/algorithms.md A2).
  int64_t Flops() const;
  // The same of integers.
  int64_t IntegerOps() const;

  // For people: one line per stage, with its axes and reads.
  std::string ToString() const;

  // What `make` makes of this DAG the first time it is asked for with `key`,
  // and the same DAG from then on: replaying a step that inserts a stage costs
  // no more than a look-up. Lives as long as some copy of this DAG.
  // Thread-safe.
  absl::StatusOr<const ComputeDag*> Derived(
      const std::vector<int64_t>& key,
      absl::FunctionRef<absl::StatusOr<ComputeDag>()> make) const;

 private:
  struct DerivedDags;

  explicit ComputeDag(std::vector<Stage> stages);

  std::vector<Stage> stages_;
  std::vector<std::vector<int>> consumers_;
  std::vector<std::vector<int>> producers_;
  std::vector<IntegerWork> integer_work_;
  std::vector<WorkByAxis> work_by_axis_;
  std::shared_ptr<DerivedDags> derived_;
};

}  // namespace pruner

#endif  // PRUNER_DAG_COMPUTE_DAG_H_
