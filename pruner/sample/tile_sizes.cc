#include "pruner/sample/tile_sizes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pruner/program/vector_length.h"
#include "pruner/sample/overlap.h"
#include "pruner/sample/thread_tiles.h"

namespace pruner {
namespace {

std::vector<int64_t> LengthsOf(const SplitInfo& split,
                               const Schedule& schedule) {
  return LengthsOf(schedule.steps[split.step]);
}

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

std::vector<int64_t> TileSizeSampler::DrawExact(const SplitInfo& split,
                                                size_t num_lengths,
                                                int64_t innermost, Rng& rng) {
  const int64_t rest = split.extent / innermost;
  // The outermost loop has two shares, the first factor and what is left over:
  // its iterations are what there is for all cores.
  std::vector<int64_t> factors = DrawFactorization(
      factors_.PrimeFactors(rest), static_cast<int>(num_lengths), rng);
  factors.erase(factors.begin());
  factors.push_back(innermost);
  return factors;
}

std::vector<int64_t> TileSizeSampler::DrawOverlapping(const SplitInfo& split,
                                                      size_t num_lengths,
                                                      int64_t innermost,
                                                      Rng& rng) {
  const std::vector<int64_t> tiles =
      OverlappingTiles(split.extent, innermost, kMaxOverlapWork);
  if (tiles.empty()) return {};
  const int64_t count = rng.Pick(tiles) / innermost;  // of innermost ones
  std::vector<int64_t> lengths = DrawFactorization(
      factors_.PrimeFactors(count), static_cast<int>(num_lengths) - 1, rng);
  lengths.push_back(innermost);
  return lengths;
}

std::vector<int64_t> TileSizeSampler::Draw(const SplitInfo& split,
                                           size_t num_lengths, int64_t multiple,
                                           int64_t max_innermost, Rng& rng) {
  const bool overlap =
      split.may_overlap && num_lengths > 1 && rng.Chance(kOverlapChance);
  std::vector<int64_t> sizes;
  if (overlap) {
    const int64_t largest = std::min(split.extent, max_innermost);
    for (int64_t size = multiple; size <= largest; size += multiple)
      sizes.push_back(size);
  } else {
    for (int64_t size : factors_.Divisors(split.extent)) {
      if (size % multiple == 0 && size <= max_innermost) sizes.push_back(size);
    }
  }
  if (sizes.empty()) return {};
  const int64_t innermost = split.kind == AxisKind::kSpatial
                                ? DrawInProportion(sizes, rng)
                                : rng.Pick(sizes);
  return overlap ? DrawOverlapping(split, num_lengths, innermost, rng)
                 : DrawExact(split, num_lengths, innermost, rng);
}

std::optional<Rejection> TileSizeSampler::Refill(const TileSpace& space,
                                                 size_t which, Rng& rng,
                                                 Schedule& schedule) {
  const std::vector<SplitInfo>& splits = space.splits;
  const SplitInfo& split = splits[which];
  TransformStep& step = schedule.steps[split.step];
  const size_t num_lengths = LengthsOf(step).size();
  if (target_.HasThreads()) {
    return RefillThreadTile(target_, splits, space.copies, which, factors_, rng,
                            schedule);
  }
  if (split.kind == AxisKind::kReduction) {
    SetLengths(Draw(split, num_lengths, 1, split.extent, rng), step);
    return std::nullopt;
  }
  int64_t registers = AccumulatorRegisters(target_);
  for (const SplitInfo& other : splits) {
    if (other.stage != split.stage || other.kind != AxisKind::kSpatial)
      continue;
    const int64_t innermost = LengthsOf(other, schedule).back();
    if (other.step == split.step || innermost == 0) continue;
    registers /= other.is_vector_axis
                     ? std::max<int64_t>(
                           1, innermost / VectorWidth(other.extent, target_))
                     : innermost;
  }
  if (registers < 1) return Rejection::kRegisters;
  const int64_t width =
      split.is_vector_axis ? VectorWidth(split.extent, target_) : 1;
  const int64_t limit =
      split.is_vector_axis
          ? std::min(registers * width, target_.limits.innermost_split_factor)
          : registers;
  std::vector<int64_t> drawn = Draw(split, num_lengths, width, limit, rng);
  if (drawn.empty()) return Rejection::kTileSize;
  SetLengths(std::move(drawn), step);
  return std::nullopt;
}

void TileSizeSampler::Adjust(const TileSpace& space, Rng& rng,
                             Schedule& schedule) {
  if (target_.HasThreads())
    FitVectors(target_, space.splits, space.copies, rng, schedule);
}

std::optional<Rejection> TileSizeSampler::Fill(const TileSpace& space, Rng& rng,
                                               Schedule& schedule) {
  std::optional<Rejection> rejection = FillOnce(space, rng, schedule);
  // With threads, the last tile decides whether there are enough; where it
  // cannot, others are cheaper to draw than all of a schedule.
  constexpr int kMoreTries = 7;
  for (int i = 0; rejection && target_.HasThreads() && i < kMoreTries; ++i)
    rejection = FillOnce(space, rng, schedule);
  return rejection;
}

std::optional<Rejection> TileSizeSampler::FillOnce(const TileSpace& space,
                                                   Rng& rng,
                                                   Schedule& schedule) {
  const std::vector<SplitInfo>& splits = space.splits;
  for (const SplitInfo& split : splits) {
    TransformStep& step = schedule.steps[split.step];
    SetLengths(std::vector<int64_t>(LengthsOf(step).size(), 0), step);
  }
  std::vector<size_t> order(splits.size());
  std::iota(order.begin(), order.end(), 0);
  rng.Shuffle(order);
  const bool threads = target_.HasThreads();
  // With threads, by what depends on what (thread_tiles.h). Without, the vector
  // axis first: its innermost tile decides what the others may take.
  const auto rank = [&](size_t i) {
    return threads ? ThreadRank(splits[i]) : (splits[i].is_vector_axis ? 0 : 1);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rank(a) < rank(b); });
  for (size_t i : order) {
    if (const std::optional<Rejection> rejection =
            Refill(space, i, rng, schedule)) {
      return rejection;
    }
  }
  return std::nullopt;
}

}  // namespace pruner
