// Fills the holes of a sketch with tile sizes (docs/algorithms.md A5.1), with
// the hardware in mind: the innermost tile is whole vectors and fits the
// registers. Unlike Ansor's, tiles need not divide the extent where the last
// one may overlap its neighbour.
#ifndef PRUNER_SAMPLE_TILE_SIZES_H_
#define PRUNER_SAMPLE_TILE_SIZES_H_

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

// Vector registers that may hold accumulators; the rest is for operands.
int64_t AccumulatorRegisters(const TargetSpec& target);

// What tile sizes are drawn for: the splits of a sketch, and what it copies to
// shared memory, if anything.
struct TileSpace {
  std::vector<SplitInfo> splits;
  SharedCopies copies;
};

class TileSizeSampler {
 public:
  // `target` must outlive it.
  explicit TileSizeSampler(const TargetSpec& target) : target_(target) {}

  // Fills all splits of `schedule`. Same seed, same sizes.
  std::optional<Rejection> Fill(const TileSpace& space, Rng& rng,
                                Schedule& schedule);

  // Draws the sizes of one split anew, within what the others of its stage
  // leave of the registers.
  std::optional<Rejection> Refill(const TileSpace& space, size_t which,
                                  Rng& rng, Schedule& schedule);

  // After sizes were changed otherwise: makes what depends on them fit again.
  void Adjust(const TileSpace& space, Rng& rng, Schedule& schedule);

 private:
  std::optional<Rejection> FillOnce(const TileSpace& space, Rng& rng,
                                    Schedule& schedule);

  // Lengths for a split whose innermost may be at most `max_innermost`, a
  // multiple of `multiple`; empty if there are none.
  std::vector<int64_t> Draw(const SplitInfo& split, size_t num_lengths,
                            int64_t multiple, int64_t max_innermost, Rng& rng);
  std::vector<int64_t> DrawExact(const SplitInfo& split, size_t num_lengths,
                                 int64_t innermost, Rng& rng);
  std::vector<int64_t> DrawOverlapping(const SplitInfo& split,
                                       size_t num_lengths, int64_t innermost,
                                       Rng& rng);

  const TargetSpec& target_;
  FactorTable factors_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_TILE_SIZES_H_
