// Tile sizes for loops over cores (docs/algorithms.md A5.1), with the hardware
// in mind: the innermost tile is whole vectors and fits the registers. Unlike
// Ansor's, tiles need not divide the extent where the last one may overlap its
// neighbour.
#ifndef PRUNER_SAMPLE_TILE_SIZES_H_
#define PRUNER_SAMPLE_TILE_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pruner/base/factors.h"
#include "pruner/base/rng.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/rejection.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Vector registers that may hold accumulators; the rest is for operands.
int64_t AccumulatorRegisters(const TargetSpec& target);

class TileSizeSampler : public LengthSampler {
 public:
  // `target` must outlive it.
  explicit TileSizeSampler(const TargetSpec& target) : target_(target) {}

  std::optional<Rejection> Redraw(const LengthSpace& space, size_t which,
                                  Rng& rng,
                                  absl::Span<int32_t> values) override;
  // None depends on the others but through the limits.
  std::optional<Rejection> Adjust(const LengthSpace&, Rng*,
                                  absl::Span<int32_t>) override {
    return std::nullopt;
  }
  const MutationWeights& weights() const override {
    return kParallelLoopWeights;
  }

 protected:
  // The vector axis first: its innermost tile decides what the others may take.
  int Rank(const Decision& decision) const override {
    return decision.lengths().is_vector_axis ? 0 : 1;
  }

 private:
  // Registers that the stage's other axes leave to accumulators.
  int64_t RegistersLeft(const LengthSpace& space, size_t which,
                        absl::Span<const int32_t> values) const;
  // Lengths whose innermost is at most `max_innermost`, a multiple of
  // `multiple`; empty if there are none.
  std::vector<int64_t> Draw(const Decision& decision, int64_t multiple,
                            int64_t max_innermost, Rng& rng);
  std::vector<int64_t> DrawExact(const Decision& decision, int64_t innermost,
                                 Rng& rng);
  std::vector<int64_t> DrawOverlapping(const Decision& decision,
                                       int64_t innermost, Rng& rng);
  int64_t DrawAtRoot(const LengthsDomain& domain, Rng& rng) const;

  const TargetSpec& target_;
  FactorTable factors_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_TILE_SIZES_H_
