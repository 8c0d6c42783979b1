// What several rules do to a derivation.
#ifndef PRUNER_SKETCH_DERIVATION_STEPS_H_
#define PRUNER_SKETCH_DERIVATION_STEPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "pruner/sketch/decision.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// Adds a step and applies it to the state. Where it inserts a stage, tiled
// stages and decisions of stages behind it are numbered anew;
// `derivation.stage` is the caller's. A step that says where a stage is
// computed takes back that this was open.
absl::Status Append(TransformStep step, Derivation& derivation);

// What the lengths of a tile are for, as far as the split does not say it.
struct TileUse {
  // Its innermost loop is along the stage's vectors.
  bool is_vector_axis = false;
  // Tiles of a stage whose location is open, which it has at the root only.
  bool is_at_root = false;
  // What the loops of the lengths are bound to; empty: serial ones.
  std::vector<Binding> bindings = {};
};

// Appends a split all of whose `lengths` are holes (0), which are decided as
// the levels of a tile.
absl::Status AppendTile(const SketchContext& context, SplitStep step,
                        TileUse use, Derivation& derivation);

// Appends a split with one hole: for the vectors of a thread, or for the
// threads of a block.
absl::Status AppendVectors(int stage, int iterator, Derivation& derivation);
absl::Status AppendThreads(int stage, int iterator, Derivation& derivation);

// Appends the step, whose factor is a hole, that takes a reduction apart.
// Factors are at most `max_factor`; 0: as long as the axis.
absl::Status AppendFactor(RfactorStep step, int64_t max_factor,
                          Derivation& derivation);

// States a decision of a kind that has no function of its own here. Its stage
// is numbered as the steps so far say; `first` is set in the end.
void AddDecision(Decision decision, Derivation& derivation);

// Leaves open where the stage is computed, unless it is an output or has reuse
// of data, and so is better tiled.
void LeaveLocationOpen(int stage, Derivation& derivation);
// Takes that back.
void KeepAtRoot(int stage, Derivation& derivation);

// The two outermost spatial axes that are so long, or as many as there are.
std::vector<int> LongAxes(const Stage& stage, int64_t min_extent);

// SeparateAxes of the stage that is to be decided, if the loops over them shall
// be outside of those of tiles; else none.
std::vector<int> FirstAxes(const Derivation& from);

// Appends the step that annotates the loop.
absl::Status Annotate(int stage, int iterator, Annotation annotation,
                      Derivation& derivation);

// Whether no step has changed the stage's loops, or where it is computed.
bool IsUntouched(const Derivation& derivation, int stage);

// Unrolls the loops over `axes`, among those of an untouched stage, right
// around its vectors: `lanes` elements that are cut off the innermost axis, or
// all of that if `lanes` is 0.
absl::Status UnrollAroundVectors(int stage, const std::vector<int>& axes,
                                 int64_t lanes, Derivation& derivation);

// Makes `count` loops, from `first` on, one; a single one stays as it is.
absl::Status FuseLoops(int stage, int first, int count, Derivation& derivation);

// Makes the `count` outermost loops one, cut into blocks and threads, of which
// the number is a decision.
absl::Status CutIntoBlocks(int stage, int count, Derivation& derivation);

// The stage that can be tiled together with `stage`: its fusible consumer, or
// that one's where it is inlined, and so on (docs/algorithms.md A2: consumers
// skip through inlined stages).
std::optional<int> ConsumerToFuse(const Derivation& derivation, int stage);

// Tiles `stage` in all axes longer than 1, the sizes being decisions, in the
// order of the target's tile structure (docs/algorithms.md A4). Where that
// binds loops to threads, the loops of a block's inside are bound to them, and
// nested as Halide needs it (E2a): outermost reduction loops, threads, other
// reduction loops, virtual threads, registers.
absl::Status TileStage(const SketchContext& context, int stage,
                       Derivation& derivation);

// Makes the spatial loops outside of everything else that is bound one loop
// over the blocks of the grid. Nothing where tiles are not bound to blocks.
absl::Status BindBlocks(const SketchContext& context, int stage,
                        Derivation& derivation);

// Tiles `consumer` like `stage`, which TileStage tiled, in `level` + 1 levels,
// and computes `stage` at the last loop of level `level` - 1 (A4,
// FollowTiling). The consumer stays where it is, and tiles need not divide.
// Where tiles are bound to threads: at the loop over blocks, in registers of
// the threads, for what is computed inside a thread's loops cannot share
// anything with other threads (E2a).
absl::Status FuseIntoConsumer(const SketchContext& context, int stage,
                              int consumer, int level, Derivation& derivation);

}  // namespace pruner

#endif  // PRUNER_SKETCH_DERIVATION_STEPS_H_
