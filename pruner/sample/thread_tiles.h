// Tile sizes for threads in blocks: within a block's threads, a thread's
// virtual threads and its registers (docs/algorithms.md A5.1, A5.6, with the
// limits in mind from the start).
#ifndef PRUNER_SAMPLE_THREAD_TILES_H_
#define PRUNER_SAMPLE_THREAD_TILES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "pruner/base/factors.h"
#include "pruner/base/rng.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/rejection.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Accumulators that a thread may have: half of its registers.
int64_t ThreadAccumulators(const TargetSpec& target);

class ThreadTileSampler : public LengthSampler {
 public:
  // `target` must outlive it.
  explicit ThreadTileSampler(const TargetSpec& target) : target_(target) {}

  // Within what the others leave of threads, virtual threads, registers and
  // shared memory.
  std::optional<Rejection> Redraw(const LengthSpace& space, size_t which,
                                  Rng& rng,
                                  absl::Span<int32_t> values) override;
  // The vectors that rows cannot be cut into any more.
  std::optional<Rejection> Adjust(const LengthSpace& space, Rng* rng,
                                  absl::Span<int32_t> values) override;
  const MutationWeights& weights() const override { return kGridWeights; }

 protected:
  // Tiles, the chunks that fit into shared memory beside them, vectors of
  // these, and threads for vectors.
  int Rank(const Decision& decision) const override;
  // The last tile decides whether there are enough threads; where it cannot,
  // others are cheaper to draw than all of a candidate.
  int tries() const override { return 8; }

 private:
  std::optional<Rejection> RedrawTile(const LengthSpace& space, size_t which,
                                      Rng& rng, absl::Span<int32_t> values);

  const TargetSpec& target_;
  FactorTable factors_;
};

// For stages that no rule tiled: vectors as long as they can be, and a few
// warps. Other values are left alone.
void SetDefaultThreads(const TargetSpec& target,
                       absl::Span<const Decision> decisions,
                       absl::Span<int32_t> values);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_THREAD_TILES_H_
