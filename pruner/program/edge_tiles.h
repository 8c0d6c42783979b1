// What is needed of stages in the tiles of another that lie at the ends of
// dimensions, where there may be no tile that does not.
#ifndef PRUNER_PROGRAM_EDGE_TILES_H_
#define PRUNER_PROGRAM_EDGE_TILES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/structure.h"

namespace pruner {

// A loop outside of tiles, and the axis that it moves them along.
struct TileStep {
  int axis = 0;
  int64_t stride = 1;
  int64_t extent = 1;
  bool shifts = false;  // the last tile is moved inwards
};

// Looks at tiles one by one, as intervals of indices. Its memory is reused.
class EdgeTiles {
 public:
  // Of another structure, or other numbers.
  void Reset(const Structure& structure);

  // Takes for the extents of members that are computed at the point, number
  // `point` of the structure's, what the largest of its tiles needs, where that
  // is less than they are. Points come after those that their stages are
  // computed at. `steps`: the loops outside, outermost first. `covered`: of a
  // tile, by axis of the point's stage. `extents`: of all axes.
  void Measure(int point, absl::Span<const TileStep> steps,
               absl::Span<const int64_t> covered, absl::Span<int64_t> extents);

 private:
  struct Interval {
    int64_t low = 0, high = 0;
    int64_t Extent() const { return high - low + 1; }
  };
  // The tiles of a point, which are in one of those of another.
  struct Tiles {
    int first_step = 0, num_steps = 0;
    int first_covered = 0;
    int64_t count = 1;  // that are looked at
  };
  // Where a stage is computed.
  struct Place {
    int point = -1;  // -1: at the root
    int region = 0;
  };

  absl::Span<const TileStep> StepsOf(const Tiles& tiles) const;
  // Of the point, in all tiles that its stage is computed in.
  int64_t Count(int point) const;
  // Makes the intervals those of one tile.
  void PlaceTile(int point, int64_t number);
  Interval TileAlong(const Tiles& tiles, int axis, const Interval& whole,
                     int64_t number) const;
  void PlaceMember(const AttachPoint& point, const AttachMember& member);
  // `dimension`: the length of what is read.
  Interval IntervalOf(const AttachPoint& point, const ReadGroup& read,
                      int64_t dimension) const;
  bool IsMeasured(const AttachMember& member, int axis,
                  absl::Span<const int64_t> extents) const;
  // Calls `see` with the extent of each axis that is measured, and the largest
  // one that was seen.
  template <typename See>
  void ForMeasured(const AttachPoint& point, absl::Span<int64_t> extents,
                   See see) const;

  const Structure* structure_ = nullptr;
  std::vector<TileStep> steps_;
  std::vector<int64_t> covered_;
  std::vector<Tiles> tiles_;        // by point
  std::vector<Place> places_;       // by stage
  std::vector<int> member_region_;  // by stage: of the point that is placed
  std::vector<Interval> tile_;      // by axis of the point's stage
  std::vector<Interval> regions_;   // by axis of a member
  std::vector<int64_t> largest_;    // the same
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_EDGE_TILES_H_
