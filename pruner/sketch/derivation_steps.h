// What several rules do to a derivation.
#ifndef PRUNER_SKETCH_DERIVATION_STEPS_H_
#define PRUNER_SKETCH_DERIVATION_STEPS_H_

#include <optional>

#include "absl/status/status.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// Adds a step and applies it to the state. Where it inserts a stage, tiled
// stages behind it are numbered anew; `derivation.stage` is the caller's.
absl::Status Append(TransformStep step, Derivation& derivation);

// Appends the step that annotates the loop.
absl::Status Annotate(int stage, int iterator, Annotation annotation,
                      Derivation& derivation);

// Makes `count` loops, from `first` on, one; a single one stays as it is.
absl::Status FuseLoops(int stage, int first, int count, Derivation& derivation);

// Makes the `count` outermost loops one, cut (with a hole) into blocks and
// threads.
absl::Status CutIntoBlocks(int stage, int count, Derivation& derivation);

// The stage that can be tiled together with `stage`: its fusible consumer, or
// that one's where it is inlined, and so on (docs/algorithms.md A2: consumers
// skip through inlined stages).
std::optional<int> ConsumerToFuse(const Derivation& derivation, int stage);

// Tiles `stage` in all axes longer than 1, with holes for the tile sizes, in
// the order of the target's tile structure (docs/algorithms.md A4). Where the
// target has threads, the loops of a block's inside are bound to them, and
// nested as Halide needs it (E2a): outermost reduction loops, threads, other
// reduction loops, virtual threads, registers.
absl::Status TileStage(const SketchContext& context, int stage,
                       Derivation& derivation);

// Makes the spatial loops outside of everything else that is bound one loop
// over the blocks of the grid.
absl::Status BindBlocks(int stage, Derivation& derivation);

// Tiles `consumer` like `stage`, which TileStage tiled, in `level` + 1 levels,
// and computes `stage` at the last loop of level `level` - 1 (A4,
// FollowTiling). Where the target has threads: at the loop over blocks, in
// registers of the threads, for what is computed inside a thread's loops cannot
// share anything with other threads (E2a).
absl::Status FuseIntoConsumer(const SketchContext& context, int stage,
                              int consumer, int level, Derivation& derivation);

}  // namespace pruner

#endif  // PRUNER_SKETCH_DERIVATION_STEPS_H_
