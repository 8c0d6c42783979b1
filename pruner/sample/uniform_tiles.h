// Tile sizes as Ansor draws them (docs/algorithms.md A5.1): uniformly, with
// nothing in mind but the extent; limits are checked afterwards.
#ifndef PRUNER_SAMPLE_UNIFORM_TILES_H_
#define PRUNER_SAMPLE_UNIFORM_TILES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "pruner/base/factors.h"
#include "pruner/base/rng.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/rejection.h"

namespace pruner {

// The lengths of a tile are any ordered factorization of the extent whose
// innermost factor is at most `max_innermost`, all equally likely. Vectors and
// threads of stages without tiles are drawn by `others`.
class UniformTileSampler : public LengthSampler {
 public:
  UniformTileSampler(int64_t max_innermost,
                     std::unique_ptr<LengthSampler> others)
      : max_innermost_(max_innermost), others_(std::move(others)) {}

  std::optional<Rejection> Redraw(const LengthSpace& space, size_t which,
                                  Rng& rng,
                                  absl::Span<int32_t> values) override;
  std::optional<Rejection> Adjust(const LengthSpace& space, Rng* rng,
                                  absl::Span<int32_t> values) override {
    return others_->Adjust(space, rng, values);
  }
  const MutationWeights& weights() const override { return others_->weights(); }

 protected:
  int Rank(const Decision& decision) const override;

 private:
  const int64_t max_innermost_;
  const std::unique_ptr<LengthSampler> others_;
  FactorTable factors_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_UNIFORM_TILES_H_
