#include "pruner/sample/thread_tiles.h"

#include <algorithm>
#include <variant>

#include "pruner/sample/overlap.h"

namespace pruner {
namespace {

// What a tile, or several together, take of a block.
struct Shares {
  int64_t threads = 1;
  int64_t vthreads = 1;
  int64_t registers = 1;  // elements of a thread, those of virtual ones as well

  bool FitIn(const Limits& limits, int64_t accumulators) const {
    return threads <= limits.threads_per_block && vthreads <= limits.vthreads &&
           registers <= accumulators;
  }
};

// For each length of a spatial split what its loop is bound to.
std::vector<Binding> BindingsOfLengths(const TargetSpec& target) {
  std::vector<Binding> bindings;
  for (const TileLevel& level : target.tiling.levels) {
    if (level.axis == TileAxis::kSpatial) bindings.push_back(level.binding);
  }
  bindings.erase(bindings.begin());
  return bindings;
}

int64_t Product(const std::vector<int64_t>& lengths) {
  int64_t product = 1;
  for (int64_t length : lengths) product *= length;
  return product;
}

void Add(const std::vector<Binding>& bindings,
         const std::vector<int64_t>& lengths, Shares& shares) {
  for (size_t i = 0; i < bindings.size(); ++i) {
    const int64_t length = std::max<int64_t>(1, lengths[i]);
    if (bindings[i] == Binding::kThread) shares.threads *= length;
    if (bindings[i] == Binding::kVThread) shares.vthreads *= length;
    if (bindings[i] != Binding::kThread) shares.registers *= length;
  }
}

// Tiles of extents that powers of two do not divide seldom make whole warps.
constexpr double kOverlapChanceOfOddExtents = 0.5;

bool MayBeDrawnToOverlap(const SplitInfo& split, Rng& rng) {
  return split.may_overlap &&
         rng.Chance(split.extent % 4 == 0 ? kOverlapChance
                                          : kOverlapChanceOfOddExtents);
}

// A tile that need not divide the extent, of up to `largest` elements.
std::optional<int64_t> DrawOverlappingTile(int64_t extent, int64_t largest,
                                           FactorTable& factors, Rng& rng) {
  const bool is_prime = factors.PrimeFactors(extent).size() == 1;
  std::vector<int64_t> tiles = OverlappingTiles(
      extent, /*unit=*/1, is_prime ? kMaxOverlapWorkOfPrimes : kMaxOverlapWork);
  std::erase_if(tiles, [&](int64_t tile) { return tile > largest; });
  if (tiles.empty()) return std::nullopt;
  return rng.Pick(tiles);
}

// What a block stages of its inputs at a time grows with the chunk, and does
// not fit beyond this.
constexpr int64_t kMaxChunk = 64;

std::optional<Rejection> DrawChunk(const SplitInfo& split, FactorTable& factors,
                                   Rng& rng, TransformStep& step) {
  const size_t levels = LengthsOf(step).size();
  std::vector<const std::vector<int64_t>*> fitting;
  const auto& all = factors.OrderedFactorizations(
      split.extent, static_cast<int>(levels), kMaxChunk);
  for (const auto& chunk : all) {
    if (Product(chunk) <= kMaxChunk) fitting.push_back(&chunk);
  }
  SetLengths(*rng.Pick(fitting), step);
  return std::nullopt;
}

// Powers of two that divide the extent.
std::vector<int64_t> VectorLengths(int64_t extent, const TargetSpec& target) {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= target.limits.vectorize_elements && extent % n == 0;
       n *= 2) {
    lengths.push_back(n);
  }
  return lengths;
}

// Vectors that a stage which no rule tiled has for its threads.
int64_t VectorsOf(const std::vector<SplitInfo>& splits,
                  const SplitInfo& threads, const Schedule& schedule) {
  for (const SplitInfo& split : splits) {
    if (split.stage != threads.stage || split.role != SplitRole::kVector)
      continue;
    const int64_t length = LengthsOf(schedule.steps[split.step])[0];
    return threads.extent / std::max<int64_t>(1, length);
  }
  return threads.extent;
}

// How many threads may share `vectors` out: whole warps, or one for each.
std::vector<int64_t> ThreadCounts(int64_t vectors, const TargetSpec& target) {
  const int64_t warp = target.units.simd_lanes;
  std::vector<int64_t> counts;
  for (int64_t n = warp; n <= target.limits.threads_per_block; n *= 2) {
    if (n == warp || n <= vectors) counts.push_back(std::min(n, vectors));
  }
  return counts;
}

}  // namespace

int64_t ThreadAccumulators(const TargetSpec& target) {
  return std::max<int64_t>(1, target.limits.registers_per_thread / 2);
}

int ThreadRank(const SplitInfo& split) {
  switch (split.role) {
    case SplitRole::kTile:
      return split.kind == AxisKind::kSpatial ? 0 : 1;
    case SplitRole::kVector:
      return 2;
    case SplitRole::kThreads:
      return 3;
  }
  return 0;
}

std::optional<Rejection> RefillThreadTile(const TargetSpec& target,
                                          const std::vector<SplitInfo>& splits,
                                          size_t which, FactorTable& factors,
                                          Rng& rng, Schedule& schedule) {
  const SplitInfo& split = splits[which];
  TransformStep& step = schedule.steps[split.step];
  if (std::holds_alternative<RfactorStep>(step)) {
    SetLengths({rng.Pick(factors.Divisors(split.extent))}, step);
    return std::nullopt;
  }
  if (split.kind == AxisKind::kReduction)
    return DrawChunk(split, factors, rng, step);
  if (split.role == SplitRole::kVector) {
    SetLengths({rng.Pick(VectorLengths(split.extent, target))}, step);
    return std::nullopt;
  }
  if (split.role == SplitRole::kThreads) {
    const int64_t vectors = VectorsOf(splits, split, schedule);
    SetLengths({rng.Pick(ThreadCounts(vectors, target))}, step);
    return std::nullopt;
  }

  const std::vector<Binding> bindings = BindingsOfLengths(target);
  const int64_t accumulators = ThreadAccumulators(target);
  Shares others;
  bool is_last = true;
  for (const SplitInfo& other : splits) {
    if (other.stage != split.stage || other.step == split.step ||
        other.kind != AxisKind::kSpatial || other.role != SplitRole::kTile) {
      continue;
    }
    const std::vector<int64_t> lengths = LengthsOf(schedule.steps[other.step]);
    Add(bindings, lengths, others);
    is_last &= lengths[0] != 0;
  }
  std::vector<const std::vector<int64_t>*> fitting, whole_warps;
  // Collects what fits of the ways to make a tile that divides `extent`, or
  // that is all of it.
  const auto collect = [&](int64_t extent, bool all_of_it) {
    const auto& tiles =
        factors.OrderedFactorizations(extent, static_cast<int>(bindings.size()),
                                      target.limits.innermost_split_factor);
    for (const auto& tile : tiles) {
      if (all_of_it && Product(tile) != extent) continue;
      Shares shares = others;
      Add(bindings, tile, shares);
      if (!shares.FitIn(target.limits, accumulators)) continue;
      fitting.push_back(&tile);
      if (shares.threads % target.units.simd_lanes == 0)
        whole_warps.push_back(&tile);
    }
  };
  if (MayBeDrawnToOverlap(split, rng)) {
    const int64_t largest = target.limits.threads_per_block / others.threads *
                            (accumulators / others.registers);
    if (const std::optional<int64_t> tile =
            DrawOverlappingTile(split.extent, largest, factors, rng)) {
      collect(*tile, /*all_of_it=*/true);
    }
  }
  if (fitting.empty()) collect(split.extent, /*all_of_it=*/false);
  if (fitting.empty()) return Rejection::kTileSize;
  // The last one to be drawn decides whether a block has whole warps.
  SetLengths(*rng.Pick(is_last && !whole_warps.empty() ? whole_warps : fitting),
             step);
  return std::nullopt;
}

void SetDefaultThreads(const TargetSpec& target,
                       const std::vector<SplitInfo>& splits,
                       Schedule& schedule) {
  constexpr int64_t kThreads = 256;
  for (const SplitRole role : {SplitRole::kVector, SplitRole::kThreads}) {
    for (const SplitInfo& split : splits) {
      if (split.role != role) continue;
      TransformStep& step = schedule.steps[split.step];
      if (role == SplitRole::kVector) {
        SetLengths({VectorLengths(split.extent, target).back()}, step);
        continue;
      }
      int64_t threads = 1;
      for (int64_t count :
           ThreadCounts(VectorsOf(splits, split, schedule), target)) {
        if (count <= kThreads) threads = count;
      }
      SetLengths({threads}, step);
    }
  }
}

}  // namespace pruner
