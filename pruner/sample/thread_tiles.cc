#include "pruner/sample/thread_tiles.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "pruner/sample/overlap.h"

namespace pruner {
namespace {

using Lengths = std::vector<int64_t>;

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

Lengths DrawChunk(const SplitInfo& split, size_t levels, int64_t largest,
                  FactorTable& factors, Rng& rng) {
  std::vector<const Lengths*> fitting;
  const auto& all = factors.OrderedFactorizations(
      split.extent, static_cast<int>(levels), kMaxChunk);
  for (const Lengths& chunk : all) {
    if (Product(chunk) <= largest) fitting.push_back(&chunk);
  }
  return *rng.Pick(fitting);
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

// How many threads a block with the stage's tiles needs: a warp, unless there
// is less to do.
int64_t ThreadsNeeded(const std::vector<SplitInfo>& splits, int stage,
                      const TargetSpec& target) {
  const int64_t warp = target.units.simd_lanes;
  int64_t elements = 1, work = 1;
  for (const SplitInfo& split : splits) {
    if (split.stage != stage || split.role != SplitRole::kTile) continue;
    work *= split.extent;
    if (split.kind == AxisKind::kSpatial) elements *= split.extent;
  }
  return work <= 2 * warp ? 1 : std::min(warp, elements);
}

// The ways to cut a tile that fit beside the others of its stage.
struct Cuts {
  std::vector<const Lengths*> fitting;
  std::vector<const Lengths*> enough_threads;
  std::vector<const Lengths*> whole_warps;
};

// Draws the tile of one spatial axis.
class SpatialDraw {
 public:
  SpatialDraw(const TargetSpec& target, const std::vector<SplitInfo>& splits,
              size_t which, const Schedule& schedule)
      : target_(target),
        split_(splits[which]),
        bindings_(BindingsOfLengths(target)),
        needed_(ThreadsNeeded(splits, split_.stage, target)) {
    for (const SplitInfo& other : splits) {
      if (other.stage != split_.stage || other.step == split_.step ||
          other.kind != AxisKind::kSpatial || other.role != SplitRole::kTile) {
        continue;
      }
      const Lengths lengths = LengthsOf(schedule.steps[other.step]);
      Add(bindings_, lengths, others_);
      is_last_ &= lengths[0] != 0;
    }
    largest_ = std::min(split_.extent,
                        target.limits.threads_per_block / others_.threads *
                            (ThreadAccumulators(target) / others_.registers));
  }

  // Elements of the longest tile that there are threads and registers for.
  int64_t largest() const { return largest_; }

  // Of tiles up to `largest` elements.
  std::variant<Lengths, Rejection> Draw(int64_t largest, FactorTable& factors,
                                        Rng& rng) {
    largest_ = largest;
    Cuts cuts;
    if (MayBeDrawnToOverlap(split_, rng)) {
      if (const std::optional<int64_t> tile =
              DrawOverlappingTile(split_.extent, largest_, factors, rng)) {
        Collect(*tile, /*all_of_it=*/true, factors, cuts);
      }
    }
    if (!CanPick(cuts))
      Collect(split_.extent, /*all_of_it=*/false, factors, cuts);
    if (!CanPick(cuts))
      return cuts.fitting.empty() ? Rejection::kTileSize : Rejection::kThreads;
    // The last one to be drawn decides how many threads a block has.
    if (!is_last_) return *rng.Pick(cuts.fitting);
    return *rng.Pick(cuts.whole_warps.empty() ? cuts.enough_threads
                                              : cuts.whole_warps);
  }

 private:
  bool CanPick(const Cuts& cuts) const {
    return !(is_last_ ? cuts.enough_threads : cuts.fitting).empty();
  }

  // What fits of the ways to make a tile that divides `extent`, or that is all
  // of it.
  void Collect(int64_t extent, bool all_of_it, FactorTable& factors,
               Cuts& cuts) const {
    const int64_t accumulators = ThreadAccumulators(target_);
    const auto& tiles = factors.OrderedFactorizations(
        extent, static_cast<int>(bindings_.size()),
        target_.limits.innermost_split_factor);
    for (const Lengths& tile : tiles) {
      const int64_t elements = Product(tile);
      if (elements > largest_ || (all_of_it && elements != extent)) continue;
      Shares shares = others_;
      Add(bindings_, tile, shares);
      if (!shares.FitIn(target_.limits, accumulators)) continue;
      cuts.fitting.push_back(&tile);
      if (shares.threads >= needed_) cuts.enough_threads.push_back(&tile);
      if (shares.threads % target_.units.simd_lanes == 0)
        cuts.whole_warps.push_back(&tile);
    }
  }

  const TargetSpec& target_;
  const SplitInfo& split_;
  const std::vector<Binding> bindings_;
  const int64_t needed_;  // threads
  Shares others_;
  bool is_last_ = true;
  int64_t largest_ = 0;
};

std::optional<Rejection> RefillTile(const TargetSpec& target,
                                    const std::vector<SplitInfo>& splits,
                                    const SharedCopies& copies, size_t which,
                                    FactorTable& factors, Rng& rng,
                                    Schedule& schedule) {
  const SplitInfo& split = splits[which];
  TransformStep& step = schedule.steps[split.step];
  const auto fits = [&](int64_t largest) {
    return copies.LargestTile(splits, which, schedule, largest,
                              target.limits.shared_bytes_per_block);
  };
  if (split.kind == AxisKind::kReduction) {
    const int64_t largest = fits(std::min(split.extent, kMaxChunk));
    if (largest == 0) return Rejection::kSharedMemory;
    SetLengths(DrawChunk(split, LengthsOf(step).size(), largest, factors, rng),
               step);
    return std::nullopt;
  }
  SpatialDraw draw(target, splits, which, schedule);
  const int64_t largest = fits(draw.largest());
  if (largest == 0) return Rejection::kSharedMemory;
  auto drawn = draw.Draw(largest, factors, rng);
  if (const auto* rejection = std::get_if<Rejection>(&drawn)) return *rejection;
  SetLengths(std::get<Lengths>(std::move(drawn)), step);
  return std::nullopt;
}

// Elements of which the vectors of a split take whole ones.
int64_t RowLength(const std::vector<SplitInfo>& splits,
                  const SharedCopies& copies, const SplitInfo& vectors,
                  const Schedule& schedule) {
  const int64_t row = copies.RowLength(vectors.stage, splits, schedule);
  return row > 0 ? row : vectors.extent;
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
                                          const SharedCopies& copies,
                                          size_t which, FactorTable& factors,
                                          Rng& rng, Schedule& schedule) {
  const SplitInfo& split = splits[which];
  TransformStep& step = schedule.steps[split.step];
  if (std::holds_alternative<RfactorStep>(step)) {
    Lengths lengths = factors.Divisors(split.extent);
    std::erase_if(lengths, [&](int64_t length) {
      return length > target.limits.threads_per_block;
    });
    SetLengths({rng.Pick(lengths)}, step);
    return std::nullopt;
  }
  switch (split.role) {
    case SplitRole::kTile:
      return RefillTile(target, splits, copies, which, factors, rng, schedule);
    case SplitRole::kVector:
      SetLengths({rng.Pick(VectorLengths(
                     RowLength(splits, copies, split, schedule), target))},
                 step);
      return std::nullopt;
    case SplitRole::kThreads:
      SetLengths(
          {rng.Pick(ThreadCounts(VectorsOf(splits, split, schedule), target))},
          step);
      return std::nullopt;
  }
  return std::nullopt;
}

void FitVectors(const TargetSpec& target, const std::vector<SplitInfo>& splits,
                const SharedCopies& copies, Rng& rng, Schedule& schedule) {
  for (const SplitInfo& split : splits) {
    if (split.role != SplitRole::kVector) continue;
    TransformStep& step = schedule.steps[split.step];
    const int64_t row = RowLength(splits, copies, split, schedule);
    if (row % LengthsOf(step)[0] == 0) continue;
    SetLengths({rng.Pick(VectorLengths(row, target))}, step);
  }
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
