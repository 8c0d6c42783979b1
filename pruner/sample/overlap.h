// Tiles that need not divide an extent: the last one is moved inwards, and
// overlaps its neighbour.
#ifndef PRUNER_SAMPLE_OVERLAP_H_
#define PRUNER_SAMPLE_OVERLAP_H_

#include <cstdint>
#include <vector>

namespace pruner {

// How often sizes are drawn that do not divide the extent, where that is
// possible.
inline constexpr double kOverlapChance = 0.15;

// How much more than the extent overlapping tiles may compute.
inline constexpr double kMaxOverlapWork = 1.15;
// Of short prime extents there would be no tiles but one element and all.
inline constexpr double kMaxOverlapWorkOfPrimes = 1.25;

// The tiles of `unit`, 2 * `unit`, … elements, up to `extent`, ascending, that
// compute at most `max_work` times the extent. All are positive.
std::vector<int64_t> OverlappingTiles(int64_t extent, int64_t unit,
                                      double max_work);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_OVERLAP_H_
