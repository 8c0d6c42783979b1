// What is needed of stages in the tiles of another that lie at the ends of
// dimensions, where there may be no tile that does not.
#ifndef PRUNER_PROGRAM_EDGE_TILES_H_
#define PRUNER_PROGRAM_EDGE_TILES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/program.h"
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

  // Takes for the extents of members that are computed at the point what the
  // largest of its tiles needs, where that is less than they are. `steps`: the
  // loops outside, outermost first. `covered`: of a tile, by axis of the
  // point's stage. `extents`: of all axes.
  void Measure(const AttachPoint& point, absl::Span<const TileStep> steps,
               absl::Span<const int64_t> covered, absl::Span<int64_t> extents);

 private:
  // Makes the intervals those of one tile. `number`: along each axis, as far as
  // there are so many.
  void PlaceTile(const AttachPoint& point, absl::Span<const TileStep> steps,
                 absl::Span<const int64_t> covered,
                 absl::Span<const int64_t> extents, int64_t number);
  void PlaceMember(const AttachMember& member, const AttachPoint& point);
  // Whether all extents are those of some tile that was looked at.
  bool IsDone(const AttachPoint& point,
              absl::Span<const int64_t> extents) const;
  bool IsMeasured(const AttachMember& member, int axis,
                  absl::Span<const int64_t> extents) const;

  struct Interval {
    int64_t low = 0, high = 0;
  };

  const Structure* structure_ = nullptr;
  std::vector<Interval> tile_;     // by axis of the point's stage
  std::vector<Interval> regions_;  // by axis of a member
  std::vector<int64_t> largest_;   // the same
  std::vector<int> first_region_;  // by stage: its member's
  std::vector<int64_t> begins_;    // by axis: in some tile
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_EDGE_TILES_H_
