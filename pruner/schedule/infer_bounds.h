// How much of a stage is computed at once where it is attached to another
// stage's loop (docs/algorithms.md A1, bound inference). Agrees with Halide's
// bounds inference for affine reads; a test holds the two against each other.
#ifndef PRUNER_SCHEDULE_INFER_BOUNDS_H_
#define PRUNER_SCHEDULE_INFER_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

// Sets axis_extents of every stage, and from them the extents of its loops: a
// loop of stride s and length l covers min(l, ceil(extent / s)) iterations.
// Errors: a hole in a split; a stage attached where one of its readers is not
// computed.
absl::Status InferBounds(LoopState& state);

// The extents of the axes of `stage` that one iteration of loop `iterator` of
// `at` covers; `stage` is `at` itself or is computed inside that loop. Requires
// that bounds of `at` are inferred.
std::vector<int64_t> CoveredExtents(const LoopState& state, int stage, int at,
                                    int iterator);

// The extents of the region of `producer` that iterations of loop `iterator` of
// `at` read, seen from everything computed inside that loop; per dimension.
std::vector<int64_t> RequiredExtents(const LoopState& state, int producer,
                                     int at, int iterator);

// The same of what `reader` alone reads while it covers `covered` of its axes.
std::vector<int64_t> ReadExtents(const ComputeDag& dag, int producer,
                                 int reader,
                                 const std::vector<int64_t>& covered);

// Whether everything that reads `producer` is computed inside loop `iterator`
// of `at`. The initialization of `at` itself is not.
bool ReadersAreInside(const LoopState& state, int producer, int at,
                      int iterator);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_INFER_BOUNDS_H_
