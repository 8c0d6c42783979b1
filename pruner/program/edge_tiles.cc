#include "pruner/program/edge_tiles.h"

#include <algorithm>

#include "pruner/base/factors.h"

namespace pruner {
namespace {

// Of more tiles along an axis those in the middle are at neither end.
constexpr int64_t kMaxTiles = 16;

int64_t StepsAlong(absl::Span<const TileStep> steps, int axis) {
  int64_t count = 1;
  for (const TileStep& step : steps) {
    if (step.axis == axis) count *= step.extent;
  }
  return count;
}

// 0, 1, -1, 2, -2, …: from the middle outwards.
int64_t FromMiddle(int64_t number) {
  return number % 2 == 0 ? -number / 2 : (number + 1) / 2;
}

}  // namespace

void EdgeTiles::Reset(const Structure& structure) {
  structure_ = &structure;
  steps_.clear();
  covered_.clear();
  tiles_.assign(structure.points.size(), Tiles());
  places_.assign(structure.stages.size(), Place());
  member_region_.assign(structure.stages.size(), 0);
  tile_.resize(structure.num_axes);
  regions_.resize(structure.num_member_axes);
  largest_.assign(structure.num_member_axes, 0);
}

void EdgeTiles::Measure(int number, absl::Span<const TileStep> steps,
                        absl::Span<const int64_t> covered,
                        absl::Span<int64_t> extents) {
  const AttachPoint& point = structure_->points[number];
  Tiles& tiles = tiles_[number];
  tiles = {.first_step = static_cast<int>(steps_.size()),
           .num_steps = static_cast<int>(steps.size()),
           .first_covered = static_cast<int>(covered_.size())};
  steps_.insert(steps_.end(), steps.begin(), steps.end());
  const int num_axes = structure_->stages[point.stage].num_axes;
  covered_.insert(covered_.end(), covered.begin(), covered.begin() + num_axes);
  for (int a = 0; a < num_axes; ++a)
    tiles.count = std::max(tiles.count, StepsAlong(steps, a));
  tiles.count = std::min(tiles.count, kMaxTiles);
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = structure_->members[point.first_member + m];
    if (member.is_computed_here)
      places_[member.stage] = {.point = number, .region = member.first_extent};
  }
  const int64_t count = Count(number);
  bool is_done = false;
  for (int64_t tile = 0; tile < count && !is_done; ++tile) {
    is_done = true;
    ForMeasured(point, extents, [&](int64_t extent, int64_t largest) {
      is_done &= largest >= extent;
    });
    if (!is_done) PlaceTile(number, tile);
  }
  ForMeasured(point, extents, [](int64_t& extent, int64_t largest) {
    extent = std::min(extent, largest);
  });
}

template <typename See>
void EdgeTiles::ForMeasured(const AttachPoint& point,
                            absl::Span<int64_t> extents, See see) const {
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = structure_->members[point.first_member + m];
    const StageStructure& stage = structure_->stages[member.stage];
    for (int a = 0; a < stage.rank; ++a) {
      if (IsMeasured(member, a, extents))
        see(extents[stage.first_axis + a], largest_[member.first_extent + a]);
    }
  }
}

bool EdgeTiles::IsMeasured(const AttachMember& member, int axis,
                           absl::Span<const int64_t> extents) const {
  const int a = structure_->stages[member.stage].first_axis + axis;
  // What may be all of a dimension is computed whole.
  return member.is_computed_here &&
         structure_->has_edges[member.first_extent + axis] &&
         extents[a] < structure_->dag->stage(member.stage).shape[axis];
}

int64_t EdgeTiles::Count(int point) const {
  const int outer = places_[structure_->points[point].stage].point;
  return tiles_[point].count * (outer < 0 ? 1 : Count(outer));
}

void EdgeTiles::PlaceTile(int number, int64_t tile) {
  const AttachPoint& point = structure_->points[number];
  const Tiles& tiles = tiles_[number];
  const Place& place = places_[point.stage];
  if (place.point >= 0) PlaceTile(place.point, tile / tiles.count);
  const Stage& s = structure_->dag->stage(point.stage);
  for (int a = 0; a < structure_->stages[point.stage].num_axes; ++a) {
    const Interval whole =
        place.point >= 0 ? regions_[place.region + a]
                         : Interval{.low = 0, .high = s.axes[a].extent - 1};
    tile_[a] = TileAlong(tiles, a, whole, FromMiddle(tile % tiles.count));
  }
  for (int m = 0; m < point.num_members; ++m)
    PlaceMember(point, structure_->members[point.first_member + m]);
}

EdgeTiles::Interval EdgeTiles::TileAlong(const Tiles& tiles, int axis,
                                         const Interval& whole,
                                         int64_t number) const {
  const absl::Span<const TileStep> steps = StepsOf(tiles);
  const int64_t covered = covered_[tiles.first_covered + axis];
  const int64_t count = StepsAlong(steps, axis);
  int64_t rest = ((count / 2 + number) % count + count) % count;
  int64_t begin = whole.low;
  bool shifts = false;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->axis != axis) continue;
    begin += rest % step->extent * step->stride;
    rest /= step->extent;
    shifts |= step->shifts;
  }
  if (shifts) begin = std::min(begin, whole.high + 1 - covered);
  begin = std::clamp(begin, whole.low, whole.high);
  return {.low = begin, .high = std::min(begin + covered - 1, whole.high)};
}

absl::Span<const TileStep> EdgeTiles::StepsOf(const Tiles& tiles) const {
  return absl::MakeConstSpan(steps_).subspan(tiles.first_step, tiles.num_steps);
}

void EdgeTiles::PlaceMember(const AttachPoint& point,
                            const AttachMember& member) {
  const StageStructure& stage = structure_->stages[member.stage];
  const Stage& s = structure_->dag->stage(member.stage);
  member_region_[member.stage] = member.first_extent;
  for (int a = 0; a < stage.num_axes; ++a) {
    Interval region = {.low = 0, .high = s.axes[a].extent - 1};
    if (a < stage.rank) {
      const absl::Span<const ReadGroup> reads =
          structure_->facts->ReadsAlong(stage.first_axis + a);
      region = IntervalOf(point, reads[0], s.shape[a]);
      for (const ReadGroup& read : reads) {
        const Interval other = IntervalOf(point, read, s.shape[a]);
        region.low = std::min(region.low, other.low);
        region.high = std::max(region.high, other.high);
      }
    }
    regions_[member.first_extent + a] = region;
    int64_t& largest = largest_[member.first_extent + a];
    largest = std::max(largest, region.Extent());
  }
}

EdgeTiles::Interval EdgeTiles::IntervalOf(const AttachPoint& point,
                                          const ReadGroup& read,
                                          int64_t dimension) const {
  const IndexExpr& index = *read.index;
  const int64_t end = index.modulus != 0 ? index.modulus : dimension;
  if (index.opaque || index.modulus != 0) return {.low = 0, .high = end - 1};
  const Interval* const reader = read.reader == point.stage
                                     ? tile_.data()
                                     : &regions_[member_region_[read.reader]];
  Interval interval = {.low = read.least, .high = read.most};
  for (const IndexTerm& term : index.terms) {
    const int64_t first = term.coefficient * reader[term.axis].low;
    const int64_t last = term.coefficient * reader[term.axis].high;
    interval.low += std::min(first, last);
    interval.high += std::max(first, last);
  }
  interval.low = FloorDiv(interval.low, index.divisor);
  interval.high = FloorDiv(interval.high, index.divisor);
  if (!index.clamped) return interval;
  return {.low = std::clamp<int64_t>(interval.low, 0, end - 1),
          .high = std::clamp<int64_t>(interval.high, 0, end - 1)};
}

}  // namespace pruner
