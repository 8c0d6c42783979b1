#include "pruner/sample/tile_sizes.h"

#include <algorithm>
#include <utility>

#include "pruner/program/vector_length.h"
#include "pruner/sample/overlap.h"

namespace pruner {
namespace {

// Larger innermost tiles reuse more: they are drawn in proportion to their
// size.
int64_t DrawInProportion(const std::vector<int64_t>& sizes, Rng& rng) {
  const std::vector<double> weights(sizes.begin(), sizes.end());
  return sizes[rng.WeightedIndex(weights)];
}

}  // namespace

int64_t AccumulatorRegisters(const TargetSpec& target) {
  // An FMA needs a register for each operand; a few keep loads in flight.
  constexpr int64_t kForOperands = 3;
  return std::max<int64_t>(1,
                           target.limits.registers_per_thread - kForOperands);
}

std::vector<int64_t> TileSizeSampler::DrawExact(const Decision& decision,
                                                int64_t innermost, Rng& rng) {
  const int64_t rest = decision.lengths().extent / innermost;
  // The outermost loop has two shares, the first factor and what is left over:
  // its iterations are what there is for all cores.
  std::vector<int64_t> factors =
      DrawFactorization(factors_.PrimeFactors(rest), decision.count, rng);
  factors.erase(factors.begin());
  factors.push_back(innermost);
  return factors;
}

std::vector<int64_t> TileSizeSampler::DrawOverlapping(const Decision& decision,
                                                      int64_t innermost,
                                                      Rng& rng) {
  const std::vector<int64_t> tiles =
      OverlappingTiles(decision.lengths().extent, innermost, kMaxOverlapWork);
  if (tiles.empty()) return {};
  const int64_t count = rng.Pick(tiles) / innermost;  // of innermost ones
  std::vector<int64_t> lengths =
      DrawFactorization(factors_.PrimeFactors(count), decision.count - 1, rng);
  lengths.push_back(innermost);
  return lengths;
}

int64_t TileSizeSampler::DrawAtRoot(const LengthsDomain& domain,
                                    Rng& rng) const {
  // A strip of whole rows is read and written in one go.
  const double untiled = domain.is_vector_axis ? 0.5 : 0.2;
  std::vector<int64_t> tiles;
  int64_t tile = domain.is_vector_axis ? target_.units.simd_lanes : 2;
  for (; tile < domain.extent; tile *= 2) {
    const int64_t work = CeilDiv(domain.extent, tile) * tile;
    if (static_cast<double>(work) <=
        kMaxOverlapWork * static_cast<double>(domain.extent))
      tiles.push_back(tile);
  }
  return tiles.empty() || rng.Chance(untiled) ? domain.extent : rng.Pick(tiles);
}

std::vector<int64_t> TileSizeSampler::Draw(const Decision& decision,
                                           int64_t multiple,
                                           int64_t max_innermost, Rng& rng) {
  const LengthsDomain& domain = decision.lengths();
  const bool overlap =
      domain.may_overlap && decision.count > 1 && rng.Chance(kOverlapChance);
  std::vector<int64_t> sizes;
  if (overlap) {
    const int64_t largest = std::min(domain.extent, max_innermost);
    for (int64_t size = multiple; size <= largest; size += multiple)
      sizes.push_back(size);
  } else {
    for (int64_t size : factors_.Divisors(domain.extent)) {
      if (size % multiple == 0 && size <= max_innermost) sizes.push_back(size);
    }
  }
  if (sizes.empty()) return {};
  const int64_t innermost = domain.axis_kind == AxisKind::kSpatial
                                ? DrawInProportion(sizes, rng)
                                : rng.Pick(sizes);
  return overlap ? DrawOverlapping(decision, innermost, rng)
                 : DrawExact(decision, innermost, rng);
}

int64_t TileSizeSampler::RegistersLeft(const LengthSpace& space, size_t which,
                                       absl::Span<const int32_t> values) const {
  int64_t registers = AccumulatorRegisters(target_);
  for (size_t i = 0; i < space.decisions.size(); ++i) {
    const Decision& other = space.decisions[i];
    if (i == which || !other.HasLengths() || other.lengths().is_at_root ||
        IsOpen(other, values) || other.stage != space.decisions[which].stage ||
        other.lengths().axis_kind != AxisKind::kSpatial) {
      continue;
    }
    const int64_t innermost = ValuesOf(other, values).back();
    registers /=
        other.lengths().is_vector_axis
            ? std::max<int64_t>(
                  1, innermost / VectorWidth(other.lengths().extent, target_))
            : innermost;
  }
  return registers;
}

std::optional<Rejection> TileSizeSampler::Redraw(const LengthSpace& space,
                                                 size_t which, Rng& rng,
                                                 absl::Span<int32_t> values) {
  const Decision& decision = space.decisions[which];
  const LengthsDomain& domain = decision.lengths();
  if (domain.is_at_root) {
    SetLengths(decision, {DrawAtRoot(domain, rng)}, values);
    return std::nullopt;
  }
  const int64_t longest =
      domain.max_innermost > 0 ? domain.max_innermost : domain.extent;
  if (domain.axis_kind == AxisKind::kReduction) {
    const bool is_tile = decision.kind == DecisionKind::kTile;
    SetLengths(decision,
               Draw(decision, 1, is_tile ? domain.extent : longest, rng),
               values);
    return std::nullopt;
  }
  const int64_t registers = RegistersLeft(space, which, values);
  if (registers < 1) return Rejection::kRegisters;
  const int64_t width =
      domain.is_vector_axis ? VectorWidth(domain.extent, target_) : 1;
  const int64_t limit =
      domain.is_vector_axis ? std::min(registers * width, longest) : registers;
  const std::vector<int64_t> drawn = Draw(decision, width, limit, rng);
  if (drawn.empty()) return Rejection::kTileSize;
  SetLengths(decision, drawn, values);
  return std::nullopt;
}

}  // namespace pruner
