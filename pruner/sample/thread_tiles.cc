#include "pruner/sample/thread_tiles.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

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

bool MayBeDrawnToOverlap(const LengthsDomain& domain, Rng& rng) {
  return domain.may_overlap &&
         rng.Chance(domain.extent % 4 == 0 ? kOverlapChance
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

Lengths DrawChunk(const Decision& decision, int64_t largest,
                  FactorTable& factors, Rng& rng) {
  std::vector<const Lengths*> fitting;
  const auto& all = factors.OrderedFactorizations(decision.lengths().extent,
                                                  decision.count, kMaxChunk);
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
int64_t VectorsOf(absl::Span<const Decision> decisions, const Decision& threads,
                  absl::Span<const int32_t> values) {
  const int64_t extent = threads.lengths().extent;
  for (const Decision& decision : decisions) {
    if (decision.stage == threads.stage &&
        decision.kind == DecisionKind::kVector) {
      return extent / std::max<int64_t>(1, values[decision.first]);
    }
  }
  return extent;
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
int64_t ThreadsNeeded(absl::Span<const Decision> decisions, int stage,
                      const TargetSpec& target) {
  const int64_t warp = target.units.simd_lanes;
  int64_t elements = 1, work = 1;
  for (const Decision& decision : decisions) {
    if (decision.stage != stage || decision.kind != DecisionKind::kTile)
      continue;
    const LengthsDomain& domain = decision.lengths();
    work *= domain.extent;
    if (domain.axis_kind == AxisKind::kSpatial) elements *= domain.extent;
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
  SpatialDraw(const TargetSpec& target, absl::Span<const Decision> decisions,
              size_t which, absl::Span<const int32_t> values)
      : target_(target),
        domain_(decisions[which].lengths()),
        needed_(ThreadsNeeded(decisions, decisions[which].stage, target)) {
    for (size_t i = 0; i < decisions.size(); ++i) {
      const Decision& other = decisions[i];
      if (i == which || other.stage != decisions[which].stage ||
          other.kind != DecisionKind::kTile ||
          other.lengths().axis_kind != AxisKind::kSpatial) {
        continue;
      }
      Add(other.lengths().bindings, LengthsOf(other, values), others_);
      is_last_ &= !IsOpen(other, values);
    }
    largest_ = std::min(domain_.extent,
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
    if (MayBeDrawnToOverlap(domain_, rng)) {
      if (const std::optional<int64_t> tile =
              DrawOverlappingTile(domain_.extent, largest_, factors, rng)) {
        Collect(*tile, /*all_of_it=*/true, factors, cuts);
      }
    }
    if (!CanPick(cuts))
      Collect(domain_.extent, /*all_of_it=*/false, factors, cuts);
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
        extent, static_cast<int>(domain_.bindings.size()),
        domain_.max_innermost > 0 ? domain_.max_innermost : extent);
    for (const Lengths& tile : tiles) {
      const int64_t elements = Product(tile);
      if (elements > largest_ || (all_of_it && elements != extent)) continue;
      Shares shares = others_;
      Add(domain_.bindings, tile, shares);
      if (!shares.FitIn(target_.limits, accumulators)) continue;
      cuts.fitting.push_back(&tile);
      if (shares.threads >= needed_) cuts.enough_threads.push_back(&tile);
      if (shares.threads % target_.units.simd_lanes == 0)
        cuts.whole_warps.push_back(&tile);
    }
  }

  const TargetSpec& target_;
  const LengthsDomain& domain_;
  const int64_t needed_;  // threads
  Shares others_;
  bool is_last_ = true;
  int64_t largest_ = 0;
};

// Elements of which the vectors of a split take whole ones.
int64_t RowLength(const LengthSpace& space, const Decision& vectors,
                  absl::Span<const int32_t> values) {
  const int64_t row =
      space.copies.RowLength(vectors.stage, space.decisions, values);
  return row > 0 ? row : vectors.lengths().extent;
}

}  // namespace

int64_t ThreadAccumulators(const TargetSpec& target) {
  return std::max<int64_t>(1, target.limits.registers_per_thread / 2);
}

int ThreadTileSampler::Rank(const Decision& decision) const {
  switch (decision.kind) {
    case DecisionKind::kVector:
      return 2;
    case DecisionKind::kThreads:
      return 3;
    default:
      return decision.lengths().axis_kind == AxisKind::kSpatial ? 0 : 1;
  }
}

std::optional<Rejection> ThreadTileSampler::RedrawTile(
    const LengthSpace& space, size_t which, Rng& rng,
    absl::Span<int32_t> values) {
  const Decision& decision = space.decisions[which];
  const absl::Span<int32_t> own = ValuesOf(decision, values);
  std::fill(own.begin(), own.end(), kOpen);
  const auto fits = [&](int64_t largest) {
    return space.copies.LargestTile(space.decisions, which, values, largest,
                                    target_.limits.shared_bytes_per_block);
  };
  if (decision.lengths().axis_kind == AxisKind::kReduction) {
    const int64_t largest =
        fits(std::min(decision.lengths().extent, kMaxChunk));
    if (largest == 0) return Rejection::kSharedMemory;
    SetLengths(decision, DrawChunk(decision, largest, factors_, rng), values);
    return std::nullopt;
  }
  SpatialDraw draw(target_, space.decisions, which, values);
  const int64_t largest = fits(draw.largest());
  if (largest == 0) return Rejection::kSharedMemory;
  const auto drawn = draw.Draw(largest, factors_, rng);
  if (const auto* rejection = std::get_if<Rejection>(&drawn)) return *rejection;
  SetLengths(decision, std::get<Lengths>(drawn), values);
  return std::nullopt;
}

std::optional<Rejection> ThreadTileSampler::Redraw(const LengthSpace& space,
                                                   size_t which, Rng& rng,
                                                   absl::Span<int32_t> values) {
  const Decision& decision = space.decisions[which];
  const LengthsDomain& domain = decision.lengths();
  switch (decision.kind) {
    case DecisionKind::kFactor: {
      Lengths factors = factors_.Divisors(domain.extent);
      std::erase_if(factors, [&](int64_t factor) {
        return domain.max_innermost > 0 && factor > domain.max_innermost;
      });
      SetLengths(decision, {rng.Pick(factors)}, values);
      return std::nullopt;
    }
    case DecisionKind::kVector:
      SetLengths(decision,
                 {rng.Pick(VectorLengths(RowLength(space, decision, values),
                                         target_))},
                 values);
      return std::nullopt;
    case DecisionKind::kThreads:
      SetLengths(decision,
                 {rng.Pick(ThreadCounts(
                     VectorsOf(space.decisions, decision, values), target_))},
                 values);
      return std::nullopt;
    default:
      return RedrawTile(space, which, rng, values);
  }
}

std::optional<Rejection> ThreadTileSampler::Adjust(const LengthSpace& space,
                                                   Rng* rng,
                                                   absl::Span<int32_t> values) {
  for (const Decision& decision : space.decisions) {
    if (decision.kind != DecisionKind::kVector) continue;
    const Lengths fitting =
        VectorLengths(RowLength(space, decision, values), target_);
    const int64_t present = values[decision.first];
    if (std::find(fitting.begin(), fitting.end(), present) != fitting.end())
      continue;
    if (rng == nullptr) return Rejection::kUnfit;
    SetLengths(decision, {rng->Pick(fitting)}, values);
  }
  return std::nullopt;
}

void SetDefaultThreads(const TargetSpec& target,
                       absl::Span<const Decision> decisions,
                       absl::Span<int32_t> values) {
  constexpr int64_t kThreads = 256;
  for (const Decision& decision : decisions) {
    if (decision.kind != DecisionKind::kVector) continue;
    SetLengths(decision,
               {VectorLengths(decision.lengths().extent, target).back()},
               values);
  }
  for (const Decision& decision : decisions) {
    if (decision.kind != DecisionKind::kThreads) continue;
    int64_t threads = 1;
    for (const int64_t count :
         ThreadCounts(VectorsOf(decisions, decision, values), target)) {
      if (count <= kThreads) threads = count;
    }
    SetLengths(decision, {threads}, values);
  }
}

}  // namespace pruner
