// Tile sizes for targets with threads: within a block's threads, a thread's
// virtual threads and its registers (docs/algorithms.md A5.1, A5.6, with the
// limits in mind from the start).
#ifndef PRUNER_SAMPLE_THREAD_TILES_H_
#define PRUNER_SAMPLE_THREAD_TILES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pruner/base/factors.h"
#include "pruner/base/rng.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/shared_copies.h"
#include "pruner/sample/split_info.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Accumulators that a thread may have: half of its registers.
int64_t ThreadAccumulators(const TargetSpec& target);

// Splits of a lower rank are to be filled first: tiles, the chunks that fit
// into shared memory beside them, vectors of these, and threads for vectors.
int ThreadRank(const SplitInfo& split);

// Draws the lengths of one split within what the others, as far as they are
// filled, leave of threads, virtual threads, registers and shared memory.
std::optional<Rejection> RefillThreadTile(const TargetSpec& target,
                                          const std::vector<SplitInfo>& splits,
                                          const SharedCopies& copies,
                                          size_t which, FactorTable& factors,
                                          Rng& rng, Schedule& schedule);

// Draws the vectors anew that rows cannot be cut into any more, where tiles are
// others than before.
void FitVectors(const TargetSpec& target, const std::vector<SplitInfo>& splits,
                const SharedCopies& copies, Rng& rng, Schedule& schedule);

// For stages that no rule tiled: vectors as long as they can be, and a few
// warps.
void SetDefaultThreads(const TargetSpec& target,
                       const std::vector<SplitInfo>& splits,
                       Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_THREAD_TILES_H_
