// File: derivation_steps.h
//
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

// The stage that can be tiled together with `stage`: its fusible consumer, or
// that one's where it is inlined, and so on (ALGORITHMS A2: consumers skip
// through inlined stages).
std::optional<int> ConsumerToFuse(const Derivation& derivation, int stage);

// Tiles `stage` in all axes longer than 1, with holes for the tile sizes, in
// the order of the target's tile structure (ALGORITHMS A4).
absl::Status TileStage(const SketchContext& context, int stage,
                       Derivation& derivation);

// Tiles `consumer` like `stage`, which TileStage tiled, in `level` + 1 levels,
// and computes `stage` at the last loop of level `level` - 1 (A4,
// FollowTiling).
absl::Status FuseIntoConsumer(int stage, int consumer, int level,
                              Derivation& derivation);

}  // namespace pruner

#endif  // PRUNER_SKETCH_DERIVATION_STEPS_H_
