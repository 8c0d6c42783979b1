// How often a stage is computed anew where it is not stored whole.
#ifndef PRUNER_SKETCH_RECOMPUTATION_H_
#define PRUNER_SKETCH_RECOMPUTATION_H_

#include <cstdint>

#include "pruner/schedule/loop_state.h"

namespace pruner {

// The most elements of `stage` that an element of a stored reader needs,
// through readers that are inlined.
int64_t ReadsPerElement(const LoopState& state, int stage);

// Reads of stored stages for an element of `stage`, through what is inlined.
int64_t StoredReads(const LoopState& state, int stage);

// Elements of `stage` computed, as a multiple of its size, where it is computed
// in loop `iterator` of `at`. Requires inferred bounds.
double Recomputation(const LoopState& state, int stage, int at, int iterator);

// Whether a stencil, reduction or packed copy (`is_packed`) of which so many
// elements are computed had better be stored. Other stages cost little wherever
// they are computed.
bool IsRecomputedTooOften(const Stage& stage, bool is_packed, double elements);

// The same of `stage` in loop `iterator` of `at`.
bool IsRecomputedTooOften(const LoopState& state, int stage, int at,
                          int iterator);

}  // namespace pruner

#endif  // PRUNER_SKETCH_RECOMPUTATION_H_
