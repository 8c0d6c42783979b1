#include "pruner/sample/uniform_tiles.h"

#include <vector>

namespace pruner {
namespace {

bool IsTile(const Decision& decision) {
  return decision.kind == DecisionKind::kTile ||
         decision.kind == DecisionKind::kFactor;
}

}  // namespace

int UniformTileSampler::Rank(const Decision& decision) const {
  if (IsTile(decision)) return 0;
  return decision.kind == DecisionKind::kVector ? 1 : 2;
}

std::optional<Rejection> UniformTileSampler::Redraw(
    const LengthSpace& space, size_t which, Rng& rng,
    absl::Span<int32_t> values) {
  const Decision& decision = space.decisions[which];
  if (!IsTile(decision)) return others_->Redraw(space, which, rng, values);
  const std::vector<int64_t>& primes =
      factors_.PrimeFactors(decision.lengths().extent);
  // Those with a longer innermost factor are a minority: most factors are
  // elsewhere.
  std::vector<int64_t> lengths;
  do {
    lengths = DrawFactorization(primes, decision.count, rng);
  } while (lengths.back() > max_innermost_);
  SetLengths(decision, lengths, values);
  return std::nullopt;
}

}  // namespace pruner
